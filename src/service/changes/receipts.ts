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

/** One text that is to be saved. */
interface Saved {
  readonly row: EntryRow;
  /** Whether near duplicates are named. */
  readonly near: boolean;
  /** Entries whose place it takes. */
  readonly supersedes: readonly string[];
  /** Kinds of secrets that were blotted out. */
  readonly redactions: readonly string[];
  readonly warnings: readonly string[];
}

const MESSAGES = {
  stored: 'Saved.',
  duplicate: 'Already there: exactly this text is stored in this namespace; its tags were merged (duplicate).',
} as const satisfies Record<InsertResult['status'], string>;
const SUPERSEDED = 'A newer entry takes the place of this one: searches leave it out unless they ask for it.';

/** Writes receipts: what became of a text, and what its saver should know. */
export class Receipts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Looks for what the receipt of a row that is to be stored has to say, and returns what writes it once it is decided what becomes of the row,
   * at once and as often as it is asked.
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

  /** Without the entry that it is a copy of. A search that fails costs the receipt its near duplicates and nothing else. */
  async #near(row: EntryRow): Promise<SaveOutcome['near']> {
    const { store, threshold, log } = this.#parts;
    const id = store.directory.same(row.entry);
    return await nearDuplicates(store, row, { ...withoutUndefined({ id }), threshold, others: true }).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'near duplicates could not be looked for');
      return undefined;
    });
  }
}
