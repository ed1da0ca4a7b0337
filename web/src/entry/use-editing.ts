import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { about, change, type Patch } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { entryTexts } from './texts.ts';
import { draftOf, patchOf, type Draft } from './draft.ts';

interface Begun {
  /** As it was when the editing began. */
  readonly memory: Memory;
  readonly draft: Draft;
  /** The last version that the editor knows of. */
  readonly seen: string;
}

/** What was edited and neither saved nor discarded, by id: the browser's way back, or a link, ends no editing. Gone with the page. */
const begun = new Map<string, Begun>();

/** A memory whose editing was left without an end, as it was when that began. */
export const begunWith = (id: string): Memory | undefined => begun.get(id)?.memory;

/** Keeps what is edited until it is saved or discarded, and says so where it is left before. */
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

/** One editing of a memory: what is written so far, and what is to be known before it can be saved. */
export interface Editing {
  /** As it was when the editing began. */
  readonly memory: Memory;
  readonly draft: Draft;
  readonly put: (part: Partial<Draft>) => void;
  readonly isDirty: boolean;
  readonly busy: boolean;
  readonly missing: boolean;
  /** The memory as someone else saved it meanwhile. */
  readonly theirs: Memory | undefined;
  readonly save: () => Promise<void>;
  readonly discard: () => void;
}

/** `memory` is what the editing began with, and stays that: only the fields that were edited are saved. Goes on with what was left. */
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
    // More was written while this was on its way: that is edited still, from the version that was saved.
    setSeen(metadata.updatedAt);
  };
  const store = async (own: Patch): Promise<void> => {
    const { entry: now } = await about(memory.id);
    if (now.metadata.updatedAt !== seen) {
      // The next save is over this version, and knows it.
      setSeen(now.metadata.updatedAt);
      setTheirs(now);
      // What is shown behind the form may be older still, where nothing tells the page of changes.
      return changed();
    }
    const saved = await change(memory.id, own);
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
