import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { about, change, type Patch } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { draftOf, patchOf, type Draft } from './draft.ts';

/** One editing of a memory: what is written so far, and what is to be known before it can be saved. */
export interface Editing {
  readonly draft: Draft;
  readonly put: (part: Partial<Draft>) => void;
  readonly isDirty: boolean;
  readonly busy: boolean;
  readonly missing: boolean;
  /** The memory as someone else saved it meanwhile. */
  readonly theirs: Memory | undefined;
  readonly save: () => Promise<void>;
}

/** `memory` is what the editing began with, and stays that: only the fields that were edited are saved. */
export function useEditing(memory: Memory, onDone: () => void): Editing {
  const { changed } = useServer();
  const [seen, setSeen] = useState(memory.metadata.updatedAt);
  const [draft, setDraft] = useState(() => draftOf(memory));
  const [theirs, setTheirs] = useState<Memory>();
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const patch = patchOf(memory, draft);
  const store = async (own: Patch): Promise<void> => {
    const { entry: now } = await about(memory.id);
    if (now.metadata.updatedAt !== seen) {
      // The next save is over this version, and knows it.
      setSeen(now.metadata.updatedAt);
      return setTheirs(now);
    }
    await change(memory.id, own);
    toast(texts.entry.changed);
    changed();
    onDone();
  };
  const save = async (): Promise<void> => {
    if (busy) return;
    setMissing(draft.content.trim() === '');
    if (draft.content.trim() === '') return;
    if (patch === undefined) return onDone();
    setBusy(true);
    try {
      await store(patch);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      toast(texts.entry.notChanged(failure.status === 404 ? texts.details.goneText : failure.message), { bad: true });
    }
    setBusy(false);
  };
  const put = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  return { draft, put, isDirty: patch !== undefined, busy, missing, theirs, save };
}
