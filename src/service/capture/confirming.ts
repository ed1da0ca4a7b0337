import { confirmationOf, confirmed } from '../../memory/capture/capture-confirmation.ts';
import { beginningOf } from '../../memory/capture/capture-surroundings.ts';
import { plainText } from '../../memory/capture/capture-text.ts';
import { traceOf, valueOf, type Edit } from '../../memory/capture/edited-values.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { LoreError } from '../../memory/errors.ts';
import { isPending } from '../../memory/pending.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { draftEntry, type Drafting } from '../changes/drafting.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import type { CaptureGate } from './capture-gate.ts';
import type { CapturedFact } from './replaced-facts.ts';

/** A longer text names its subject itself. UTF-16 units. */
const LONGEST = 1000;
/** Edits of a turn that are noted with its statements. */
const MOST_TRACES = 4;

interface Parts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly limiter: WriteLimiter;
  readonly gate: CaptureGate;
  /** Called for every completed entry. Relations found by an edit stay valid, so this does not count as a change. */
  readonly onStored: (id: string) => void;
}

/**
 * Adds the assistant's answer to what a person said before it: the sentence that confirms a statement and names its subject completes the
 * text. The beginning of the first answer is noted with the entry, which is found by its words too, and so are the edits before it, by which a
 * later change is recognised.
 */
export class Confirming {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at an answer. Completes only entries that are still in the inbox; returns the statements that still lack a confirmation. */
  async look(
    { text = '', at = Date.now() }: CaptureRequest,
    said: readonly CapturedFact[],
    { edits, isFirst }: { readonly edits: readonly Edit[]; readonly isFirst: boolean },
  ): Promise<CapturedFact[]> {
    const answer = isFirst && said.length > 0 ? beginningOf(plainText(text)) : '';
    const open: CapturedFact[] = [];
    const used = new Set<string>();
    const edited = said.length === 1 ? edits.flatMap((edit) => valueOf(edit)?.after ?? []) : [];
    const traces = isFirst ? [...new Set(edits.flatMap((edit) => traceOf(edit) ?? []))].slice(0, MOST_TRACES) : [];
    const around = { ...(answer !== '' && { answer }), ...(traces.length > 0 && { edits: traces }) };
    for (const fact of said) {
      const found = confirmationOf({ ...fact, edited }, text);
      const fitting = found === undefined ? undefined : this.#parts.gate.fitting({ kind: 'decision', text: found }, { isKept: false });
      const isConfirmed = found !== undefined && fitting?.text === found && !used.has(found);
      if (!isConfirmed) open.push(fact);
      await this.#add(fact.id, { confirmation: isConfirmed ? found : undefined, around, at }).catch(unlessOvertaken);
      if (found !== undefined) used.add(found);
    }
    return open;
  }

  /** One write for both. */
  async #add(id: string, { confirmation, around, at }: Added): Promise<void> {
    const { store, drafting, limiter, onStored } = this.#parts;
    const entry = await store.entries.get(id);
    const { content, createdAt } = entry;
    const completes = confirmation !== undefined && isPending(entry) && content.length <= LONGEST && !content.includes(confirmation);
    if (!completes) {
      const note = (now: EntryRow): EntryRow => ({ ...now, entry: { ...now.entry, sourceRef: { ...now.entry.sourceRef, ...around } } });
      if (Object.keys(around).length > 0)
        await limiter.many({ changes: 1, chars: 0 }, () => store.entries.update(id, note, 'auto-capture'));
      return;
    }
    // Counts as captured now: with a later change it would leave the inbox, and with none other stores would not get it.
    const time = Math.max(at, createdAt + 1);
    const { summary: _, entities: __, ...facts } = entry;
    const completed = { content: confirmed(content, confirmation), createdAt: time, updatedAt: time };
    const draft = draftEntry({ ...facts, sourceRef: { ...facts.sourceRef, ...around }, ...completed });
    const [row] = await drafting.rows([draft]);
    const change = (now: EntryRow): EntryRow =>
      now.entry.content === content && isPending(now.entry) ? { ...now, ...row, entry: { ...draft, tags: now.entry.tags } } : now;
    await limiter.many({ changes: 1, chars: draft.content.length }, () => store.entries.update(id, change, 'auto-capture'));
    onStored(id);
  }
}

interface Added {
  readonly confirmation: string | undefined;
  /** The beginning of the answer and the traces of the edits, if there are any to note. */
  readonly around: { readonly answer?: string; readonly edits?: readonly string[] };
  readonly at: number;
}

/** Skips a missing entry, and one whose completed text exists already. */
function unlessOvertaken(error: unknown): void {
  if (!(error instanceof LoreError && (error.code === 'not_found' || error.code === 'invalid_input'))) throw error;
}
