import { knownTokens, meaningOf, tokensNear, type KnownToken } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import { isOfFile, type EntryFilter } from '../../memory/entry.ts';
import { isStopWord, tokenize } from '../../memory/words/tokens.ts';
import { matching } from '../../store/format/predicates.ts';
import type { Store } from '../../store/store.ts';

/** In a larger store, only entries found by words are compared by meaning. */
const MOST_ROWS = 1000;
const NEAREST = 30;
/** Half of the entries for prompts without an answer are below it, and an eighth of the answers. */
const CHANCE = 0.2;
/** Words that are added to those of the query in a search of passages of files. */
const MOST_WORDS = 30;
const LEAST_NEAR = 0.3;
/** Words are looked up again once this share of the rows is new or deleted. */
const STALE_SHARE = 0.01;

/** Similarity of entries to a query by single-word vectors, for embedders without semantics. */
export class Meaning {
  readonly #store: Store;
  readonly #query: Float32Array;

  constructor(store: Store, query: string) {
    this.#store = store;
    this.#query = meaningOf(tokenize(query).join(' '));
  }

  /** 0..1 for a search text; 0 if it is no nearer than any text may be by chance. */
  of(stream: string): number {
    const cosine = dotProduct(this.#query, meaningOf(stream));
    return cosine > CHANCE ? cosine : 0;
  }

  /** 0..1 for the file of a path, by its name. */
  ofFile(path: string): number {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
    return Math.max(0, dotProduct(this.#query, meaningOf(tokenize(name).join(' '))));
  }

  /** Words of the store near to the whole query, to find code without query words. */
  words(): string[] {
    return tokensNear(this.#query, { among: tokensOf(this.#store), most: MOST_WORDS, least: LEAST_NEAR });
  }

  /** Memories near to the query, with or without shared words. */
  async nearest(filter: EntryFilter): Promise<string[]> {
    const { catalog, entries } = this.#store;
    if (catalog.size > MOST_ROWS) return [];
    const isMatch = matching(filter);
    const ids = catalog.entries().flatMap((known) => (!isOfFile(known) && isMatch(known) ? [known.id] : []));
    const near = [...(await entries.searchTexts(ids))].map(([id, stream]) => ({ id, nearness: this.of(stream) }));
    return near
      .filter(({ nearness }) => nearness > 0)
      .toSorted((a, b) => b.nearness - a.nearness)
      .slice(0, NEAREST)
      .map(({ id }) => id);
  }
}

/** The words of a store with a meaning, and the number of rows when they were read. */
const lookedUp = new WeakMap<Store, { readonly rows: number; readonly known: readonly KnownToken[] }>();

function tokensOf(store: Store): readonly KnownToken[] {
  const { words } = store;
  const before = lookedUp.get(store);
  if (before !== undefined && Math.abs(words.rows - before.rows) <= STALE_SHARE * before.rows) return before.known;
  const known = knownTokens((token) => words.documentFrequency(token) > 0 && !isStopWord(token));
  lookedUp.set(store, { rows: words.rows, known });
  return known;
}
