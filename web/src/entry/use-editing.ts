import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError, lore } from '../api/client.ts';
import { fetchEntry, type Patch } from '../api/entries.ts';
import type { Memory } from '../api/responses.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { draftOf, patchOf, type Draft } from './draft.ts';

interface Begun {
  /** The memory when editing began. */
  readonly memory: Memory;
  readonly draft: Draft;
  /** The latest version that the editor knows. */
  readonly seen: string;
}

/** Unsaved edits by memory id: navigation does not end an editing. Lost with the page. */
const begun = new Map<string, Begun>();

/** The memory of an unfinished editing, as it was when editing began. */
export const unfinishedMemory = (id: string): Memory | undefined => begun.get(id)?.memory;

/** Keeps unsaved edits and warns before the page is left. */
function useKept({ memory, draft, seen }: Begun, isDirty: boolean): () => void {
  const { id } = memory;
  useLayoutEffect(() => {
    if (isDirty) begun.set(id, { memory, draft, seen });
    else begun.delete(id);
  }, [draft, seen, isDirty]);
  useEffect(
    () => () => {
      if (begun.has(id)) toast(entryTexts.draftKept);
    },
    [],
  );
  return () => void begun.delete(id);
}

/** The editing of a memory: the draft, and what must be known to save it. */
export interface Editing {
  readonly memory: Memory;
  readonly draft: Draft;
  readonly put: (part: Partial<Draft>) => void;
  readonly isDirty: boolean;
  readonly busy: boolean;
  readonly missing: boolean;
  /** A newer version that was saved by someone else. */
  readonly theirs: Memory | undefined;
  readonly save: () => Promise<void>;
  readonly discard: () => void;
}

/** `memory` is the version at the start of editing and stays fixed: only edited fields are saved. Continues an unfinished editing. */
export function useEditing(memory: Memory, onDone: () => void): Editing {
  const { changed } = useServer();
  const [seen, setSeen] = useState(begun.get(memory.id)?.seen ?? memory.metadata.updatedAt);
  const [draft, setDraft] = useState(() => begun.get(memory.id)?.draft ?? draftOf(memory));
  const [theirs, setTheirs] = useState<Memory>();
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const patch = patchOf(memory, draft);
  const forget = useKept({ memory, draft, seen }, patch !== undefined);
  const discard = (): void => {
    forget();
    onDone();
  };
  const finish = ({ metadata }: Memory): void => {
    const kept = begun.get(memory.id);
    if (kept === undefined || kept.draft === draft) return discard();
    // The draft changed during the save: it stays open, based on the saved version.
    setSeen(metadata.updatedAt);
  };
  const store = async (own: Patch): Promise<void> => {
    const { entry: now } = await fetchEntry(memory.id);
    if (now.metadata.updatedAt !== seen) {
      // The next save is based on this version.
      setSeen(now.metadata.updatedAt);
      setTheirs(now);
      // Without live events the view behind the form may show an older version.
      return changed();
    }
    const saved = await lore.memories.update(memory.id, own);
    toast(entryTexts.changed);
    changed();
    finish(saved);
  };
  const save = async (): Promise<void> => {
    if (busy) return;
    setMissing(draft.content.trim() === '');
    if (draft.content.trim() === '') return;
    if (patch === undefined) return discard();
    setBusy(true);
    try {
      await store(patch);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      toast(entryTexts.notChanged(failure.status === 404 ? entryTexts.details.goneText : failure.message), { bad: true });
    }
    setBusy(false);
  };
  const put = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  return { memory, draft, put, isDirty: patch !== undefined, busy, missing, theirs, save, discard };
}
