import { meaningOf } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import { isOfFile, type EntryFilter } from '../../memory/entry.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import { matching } from '../../store/format/predicates.ts';
import type { Store } from '../../store/store.ts';

/** In a larger store only what the words find is weighed by meaning. */
const MOST_ROWS = 1000;
const NEAREST = 30;
/** Half of the entries of prompts that ask for nothing are below it, and an eighth of the answers. */
const CHANCE = 0.2;

/** How near entries are to a query by the meaning of their single words, where the embedder knows none. */
export class Meaning {
  readonly #store: Store;
  readonly #query: Float32Array;

  constructor(store: Store, query: string) {
    this.#store = store;
    this.#query = meaningOf(tokenize(query).join(' '));
  }

  /** 0..1 for a search text; 0 where it is no nearer than any text may be. */
  of(stream: string): number {
    const cosine = dotProduct(this.#query, meaningOf(stream));
    return cosine > CHANCE ? cosine : 0;
  }

  /** Memories near to the query, whether they share a word with it or not. */
  async nearest(filter: EntryFilter): Promise<string[]> {
    const { directory, entries } = this.#store;
    if (directory.size > MOST_ROWS) return [];
    const isMeant = matching(filter);
    const ids = directory.known().flatMap((known) => (!isOfFile(known) && isMeant(known) ? [known.id] : []));
    const near = [...(await entries.searchTexts(ids))].map(([id, stream]) => ({ id, nearness: this.of(stream) }));
    return near
      .filter(({ nearness }) => nearness > 0)
      .toSorted((a, b) => b.nearness - a.nearness)
      .slice(0, NEAREST)
      .map(({ id }) => id);
  }
}
