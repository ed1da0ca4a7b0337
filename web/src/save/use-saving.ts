import { useState } from 'preact/hooks';
import { ApiError, save, type SaveInput, lore } from '../api/client.ts';
import { forget } from '../api/forgetting.ts';
import type { Memory } from '../api/responses.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { saveTexts } from './texts.ts';
import { keepDraft, readDraft } from './draft.ts';
import type { Receipt } from './receipt.tsx';
import { fieldId, type FieldError } from './save-fields.tsx';

const FIELDS = [
  'content',
  'tags',
  'namespace',
  'container',
  'priority',
  'importance',
  'global',
] as const satisfies readonly (keyof SaveInput)[];
const KEPT_RECEIPTS = 5;

/** The field of a server message, which begins with the field's name. */
function fieldOf(message: string): keyof SaveInput | undefined {
  return FIELDS.find((field) => new RegExp(`^["'\`]?${field}\\b`).test(message));
}

export const focusField = (field: keyof SaveInput): void => document.getElementById(fieldId(field))?.focus();

/** Saves a new memory, optionally superseding an older one. */
async function saved(sent: SaveInput, older: Memory | undefined): Promise<Receipt> {
  const started = performance.now();
  const { ids, outcomes } = await save(sent, { supersedes: older?.id });
  const [id = ''] = ids;
  const tookMs = performance.now() - started;
  const receipt: Receipt = { kind: outcomes[0]?.status ?? 'stored', id, sent, tookMs, undone: false, outcome: outcomes[0] };
  return older === undefined || older.id === id ? receipt : { ...receipt, supersedes: older.id };
}

/** Updates an existing memory with the text and the tags of both, as one change that can be undone at once. */
async function updated(sent: SaveInput, { id }: Memory): Promise<Receipt> {
  const started = performance.now();
  // The found memory may be outdated: tags added meanwhile are kept.
  const tags = sent.tags.length > 0 ? [...new Set([...(await lore.memories.get(id)).metadata.tags, ...sent.tags])] : undefined;
  const { metadata } = await lore.memories.update(id, { content: sent.content, ...(tags !== undefined && { tags }) });
  const tookMs = performance.now() - started;
  return { kind: 'updated', id, sent, tookMs, undone: false, outcome: undefined, updatedAt: metadata.updatedAt };
}

/** Undoes the change of a receipt; undefined if the memory was changed since. */
async function takenBack({ kind, id, updatedAt }: Receipt): Promise<Partial<Receipt> | undefined> {
  const { metadata } = await lore.memories.get(id);
  if (kind === 'updated') {
    if (metadata.updatedAt !== updatedAt) return undefined;
    await lore.lifecycle.undo(id);
    return { undone: true };
  }
  if (metadata.updatedAt === metadata.timestamp) {
    await lore.memories.forget(id);
    return { undone: true };
  }
  // Changes by others must not be lost.
  await forget([id]);
  return { undone: true, archived: true };
}

/** The form without the sent fields; text written meanwhile is kept. */
function unsent(sent: SaveInput): Partial<SaveInput> {
  const { content, tags } = readDraft();
  return { importance: undefined, content: content === sent.content ? '' : content, tags: tags.filter((tag) => !sent.tags.includes(tag)) };
}

function useDraft() {
  const [input, setInput] = useState(readDraft);
  const [error, setError] = useState<FieldError>();
  const change = (patch: Partial<SaveInput>): void => {
    const next = { ...readDraft(), ...patch };
    keepDraft(next);
    setInput(next);
    setError(undefined);
  };
  const fail = (failure: ApiError, said: (message: string) => string): void => {
    const field = failure.status === 400 || failure.status === 413 ? (fieldOf(failure.message) ?? 'content') : undefined;
    setError({ field, message: failure.message });
    if (field === undefined) toast(said(failure.message), { bad: true });
    else focusField(field);
  };
  return { input, error, change, fail };
}

/** Whether a save is running, and a function that runs one at a time. */
function useWriting() {
  const { changed } = useServer();
  const [busy, setBusy] = useState(false);
  const during = async (work: () => Promise<void>, failed: (failure: ApiError) => void): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
      changed();
      focusField('content');
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      failed(failure);
    } finally {
      setBusy(false);
    }
  };
  return { busy, during };
}

export function useSaving() {
  const { input, error, change, fail } = useDraft();
  const { busy, during } = useWriting();
  const [receipts, setReceipts] = useState<readonly Receipt[]>([]);
  const write = (make: (sent: SaveInput) => Promise<Receipt>, said: (message: string) => string): Promise<void> => {
    const written = async (): Promise<void> => {
      // Not the rendered draft: the last key may have changed it.
      const sent = readDraft();
      const receipt = await make(sent);
      setReceipts((before) => [receipt, ...before].slice(0, KEPT_RECEIPTS));
      // The namespace and container are kept for the next memory.
      change(unsent(sent));
    };
    return during(written, (failure) => fail(failure, said));
  };
  const undo = (receipt: Receipt): Promise<void> => {
    const undone = async (): Promise<void> => {
      const came = await takenBack(receipt);
      if (came === undefined) return toast(saveTexts.receipt.undoFailed(saveTexts.receipt.changedSince), { bad: true });
      setReceipts((before) => before.map((one) => (one === receipt ? { ...one, ...came } : one)));
      const { content, tags } = receipt.sent;
      if (readDraft().content.trim() === '') change({ content, tags });
    };
    return during(undone, (failure) => toast(saveTexts.receipt.undoFailed(failure.message), { bad: true }));
  };
  const submit = (): Promise<void> => write((sent) => saved(sent, undefined), saveTexts.failed);
  const succeed = (older: Memory): Promise<void> => write((sent) => saved(sent, older), saveTexts.failed);
  const update = (memory: Memory): Promise<void> => write((sent) => updated(sent, memory), saveTexts.near.updateFailed);
  return { input, busy, error, receipts, change, submit, succeed, update, undo };
}
