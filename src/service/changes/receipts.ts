import type { Log } from '../../memory/log.ts';
import type { SaveOutcome, SaveReceipt } from '../../memory/operations/operations.ts';
import type { InsertResult } from '../../store/write/entries.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { nearDuplicates } from './near-duplicates.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface Parts {
  readonly store: Store;
  /** `memory.deduplicationThreshold`. */
  readonly threshold: number;
  readonly log: Log;
}

/** One text to be saved. */
interface Saved {
  readonly row: EntryRow;
  /** Whether to list near duplicates. */
  readonly near: boolean;
  /** Entries that it supersedes. */
  readonly supersedes: readonly string[];
  /** Kinds of redacted secrets. */
  readonly redactions: readonly string[];
  readonly warnings: readonly string[];
}

const MESSAGES = {
  stored: 'Saved.',
  duplicate: 'Already there: exactly this text is stored in this namespace; its tags were merged (duplicate).',
} as const satisfies Record<InsertResult['status'], string>;
const SUPERSEDED = 'A newer entry supersedes this one: searches leave it out unless they include superseded entries.';

/** Builds receipts: the result of a save, with near duplicates and warnings. */
export class Receipts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Prepares the receipt of a row, and returns a function that builds it when the result of the insert is known; it may be called several
   * times.
   */
  async prepare({ row, near: wantsNear, supersedes, redactions, warnings }: Saved): Promise<(result: InsertResult) => SaveReceipt> {
    const near = wantsNear ? await this.#near(row) : undefined;
    return ({ status, entry, isPending }) => {
      const told = entry.superseded === true ? [...warnings, SUPERSEDED] : warnings;
      const outcome: SaveOutcome = {
        id: entry.id,
        status,
        vector: isPending ? 'pending' : 'stored',
        passages: 1 + (row.vectors?.further.length ?? 0),
        ...(near === undefined ? {} : { near: near.filter(({ id }) => id !== entry.id && !supersedes.includes(id)) }),
        ...(supersedes.length === 0 ? {} : { supersedes: supersedes.filter((id) => id !== entry.id) }),
        ...(redactions.length === 0 ? {} : { redactions }),
        ...(told.length === 0 ? {} : { warnings: told }),
      };
      return { ids: [entry.id], entry, message: MESSAGES[status], outcomes: [outcome] };
    };
  }

  /** Near duplicates, without the original of an exact copy. A failing search only leaves them out. */
  async #near(row: EntryRow): Promise<SaveOutcome['near']> {
    const { store, threshold, log } = this.#parts;
    const id = store.catalog.same(row.entry);
    return await nearDuplicates(store, row, { ...withoutUndefined({ id }), threshold, others: true }).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'near duplicates could not be looked for');
      return undefined;
    });
  }
}
