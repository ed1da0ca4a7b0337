import { LRUCache } from 'lru-cache';
import type { ScoredEntry } from '../../memory/entry.ts';
import type { Store } from '../../store/store.ts';

/** Total characters of the entries of all results. */
const MOST_CHARS = 4_000_000;
/** Size of a result besides the text of its entry. */
const RESULT_CHARS = 500;
/** Scores change with the age of the entries. */
const KEPT_MS = 3_600_000;
/** A larger result would evict too many others. */
const LARGEST_SHARE = 1 / 8;

/** Cache of search results, valid until any entry changes, at most an hour: agents and hooks repeat queries. */
export class ResultCache {
  readonly #answers = new LRUCache<string, readonly ScoredEntry[]>({
    maxSize: MOST_CHARS,
    ttl: KEPT_MS,
    maxEntrySize: MOST_CHARS * LARGEST_SHARE,
    sizeCalculation: (results) => results.reduce((sum, { entry }) => sum + entry.content.length + RESULT_CHARS, RESULT_CHARS),
  });
  readonly #store: Pick<Store, 'tell' | 'catalog'>;
  #removals = 0;
  #asOf = '';

  constructor(store: Pick<Store, 'tell' | 'catalog'>) {
    this.#store = store;
    store.tell((changes) => {
      if (changes.some(({ after }) => after === undefined)) this.#removals += 1;
    });
  }

  /** The cached result, or a new one, which is cached if nothing changed in the meantime and `isComplete` reports no failure. */
  async of(key: string, find: () => Promise<readonly ScoredEntry[]>, isComplete: () => boolean): Promise<readonly ScoredEntry[]> {
    const { state } = this;
    if (state !== this.#asOf) this.#answers.clear();
    this.#asOf = state;
    const kept = this.#answers.get(key);
    if (kept !== undefined) return kept;
    const found = await find();
    if (state === this.state && state === this.#asOf && isComplete()) this.#answers.set(key, found);
    return found;
  }

  /** Changes with every change of an entry. Every write has its own version, even one that only adds vectors; a removal has none. */
  get state(): string {
    return `${this.#store.catalog.newestVersion} ${this.#removals}`;
  }
}
