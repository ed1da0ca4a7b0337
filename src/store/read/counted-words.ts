import type { Database } from '../tables/database.ts';
import type { Memtables } from '../memtable/memtable.ts';
import { Lexicon } from '../memtable/lexicon.ts';
import type { RawRow } from '../format/rows.ts';
import { countWords, readLexicon, Words, writeLexicon } from './words.ts';

interface Parts {
  readonly memtables: Memtables;
  readonly database: Database;
  /** Folder of the file that keeps the words for the next start. */
  readonly folder: string;
}

/** The document frequencies of a store, counted once in the background after opening. */
export class CountedWords {
  readonly #parts: Parts;
  /** The table version that readers use. */
  #table = new Lexicon();
  #all: Words;
  #counting: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#all = new Words(this.#table, parts.memtables);
  }

  get table(): Lexicon {
    return this.#table;
  }

  get all(): Words {
    return this.#all;
  }

  /** Starts counting, or loads stored counts. Passes each row to `offer`; calls `onDamage` if some cannot be read. */
  begin(offer: (row: RawRow) => void, onDamage: () => void): void {
    this.#counting = this.#count(offer, onDamage);
  }

  whenCounted(): Promise<void> {
    return this.#counting;
  }

  /** Stores the counts for the next start. Never rejects: incomplete or unwritten counts are computed again then. */
  async keep(): Promise<void> {
    const { folder, database } = this.#parts;
    await this.#counting.then(() => writeLexicon(folder, database.view.stamp, this.#table)).catch(() => undefined);
  }

  async #count(offer: (row: RawRow) => void, onDamage: () => void): Promise<void> {
    const { memtables, database, folder } = this.#parts;
    const kept = await readLexicon(folder, database.view.stamp);
    if (kept === undefined) {
      if (!(await countWords(database.view, { into: this.#table, offer }))) onDamage();
      return;
    }
    this.#table = kept;
    this.#all = new Words(kept, memtables);
  }
}
