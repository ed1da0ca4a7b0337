import type { Embedder, EmbedderChoice } from '../embeddings/embedder.ts';
import type { EntryFilter, ScoredEntry, SearchMode } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import { queryTokens } from '../memory/tokens.ts';
import type { Store } from '../store/store.ts';
import { fuse, type Leg, type Weights } from './fusion.ts';

/** Candidates of each leg of a hybrid search: enough that the union holds the best of both, few enough to stay cheap. */
const MIN_CANDIDATES = 50;

/** Measured per kind of embedder (docs/adr/0005); used where the configuration sets none. */
const OWN_WEIGHTS: Readonly<Record<Embedder['kind'], Weights>> = {
  semantic: { vector: 0.7, keyword: 0.3 },
  lexical: { vector: 0.3, keyword: 0.7 },
};

export interface Wanted {
  readonly query: string;
  readonly mode: SearchMode;
  readonly filter: EntryFilter;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly weights: Partial<Weights>;
  readonly log: Log;
}

/** Finds entries by meaning, by words, or by both. */
export class Recall {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Best first. Rejects with `unavailable` where only vectors were asked for and the model does not answer. */
  async find({ query, mode, filter, limit, signal }: Wanted): Promise<ScoredEntry[]> {
    const candidates = mode === 'hybrid' ? Math.max(MIN_CANDIDATES, limit * 3) : limit;
    const [vector, keyword] = await Promise.all([
      mode === 'keyword' ? [] : this.#vectorLeg({ query, filter, limit: candidates, fallible: mode === 'hybrid', signal }),
      mode === 'vector' ? [] : this.#parts.store.searchKeywords({ tokens: queryTokens(query), filter, limit: candidates }),
    ]);
    const best = fuse(mode, { vector, keyword }, this.#weights()).slice(0, limit);
    const entries = new Map((await this.#parts.store.entries.getMany(best.map(({ id }) => id))).map((entry) => [entry.id, entry]));
    return best.flatMap(({ id, score, scores }) => {
      const entry = entries.get(id);
      return entry === undefined ? [] : [{ entry, score, scores }];
    });
  }

  /** One native search in each space that holds rows; a query vector never meets vectors of another model. */
  async #vectorLeg(wanted: {
    query: string;
    filter: EntryFilter;
    limit: number;
    fallible: boolean;
    signal?: AbortSignal | undefined;
  }): Promise<Leg> {
    const { store } = this.#parts;
    try {
      const legs = await Promise.all(
        this.#spaces().map(async (embedder) => {
          if (embedder.kind === 'lexical') await store.whenCounted();
          const vector = await embedder.embedQuery(wanted.query, wanted.signal === undefined ? {} : { signal: wanted.signal });
          return await store.searchVectors({ vector, fingerprint: embedder.fingerprint, filter: wanted.filter, limit: wanted.limit });
        }),
      );
      return legs.flat();
    } catch (error) {
      wanted.signal?.throwIfAborted();
      this.#parts.log.warn({ error: String(error) }, 'the vector leg of a search failed');
      if (wanted.fallible) return [];
      if (error instanceof LoreError && error.code !== 'network') throw error;
      throw new LoreError('unavailable', 'The embedding model does not answer, so nothing can be searched by vector.', {
        cause: error,
        hint: 'Search by keyword meanwhile.',
        retryAfterSeconds: 10,
      });
    }
  }

  /** The active one, and the builtin one while rows that it stamped wait to be embedded anew. */
  #spaces(): Embedder[] {
    const { active, builtin } = this.#parts.choice;
    const waiting = this.#parts.store.directory.embedders().has(builtin.fingerprint);
    return active.fingerprint !== builtin.fingerprint && waiting ? [active, builtin] : [active];
  }

  #weights(): Weights {
    const own = OWN_WEIGHTS[this.#parts.choice.active.kind];
    const { vector, keyword } = this.#parts.weights;
    if (vector !== undefined && keyword === undefined) return { vector, keyword: 1 - vector };
    if (keyword !== undefined && vector === undefined) return { vector: 1 - keyword, keyword };
    return { vector: vector ?? own.vector, keyword: keyword ?? own.keyword };
  }
}
