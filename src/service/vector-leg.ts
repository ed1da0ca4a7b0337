import type { Embedder, EmbedderChoice } from '../embeddings/embedder.ts';
import type { EntryFilter } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type { Store } from '../store/store.ts';

/** What a search by vector found: id -> cosine. */
export type Cosines = ReadonlyMap<string, number>;

export interface VectorWanted {
  readonly query: string;
  readonly filter: EntryFilter;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly log: Log;
}

/** The search by vector, native, in every space that holds rows. */
export class VectorLeg {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with `unavailable` where the model does not answer. */
  async search(wanted: VectorWanted): Promise<Cosines> {
    try {
      return await this.#nearest(wanted);
    } catch (error) {
      this.#note(error, wanted);
      if (error instanceof LoreError && error.code !== 'network') throw error;
      throw new LoreError('unavailable', 'The embedding model does not answer, so nothing can be searched by vector.', {
        cause: error,
        hint: 'Search by keyword meanwhile.',
        retryAfterSeconds: 10,
      });
    }
  }

  /** The same where the words may answer alone: undefined where it fails. Rejects only when the caller gave up. */
  async tryToSearch(wanted: VectorWanted): Promise<Cosines | undefined> {
    try {
      return await this.#nearest(wanted);
    } catch (error) {
      this.#note(error, wanted);
      return undefined;
    }
  }

  #note(error: unknown, { signal }: VectorWanted): void {
    signal?.throwIfAborted();
    this.#parts.log.warn({ error: String(error) }, 'the vector leg of a search failed');
  }

  /** One native search in each space; a query vector never meets vectors of another model. */
  async #nearest({ query, filter, limit, signal }: VectorWanted): Promise<Cosines> {
    const { store } = this.#parts;
    const legs = await Promise.all(
      this.#spaces().map(async (embedder) => {
        if (embedder.kind === 'lexical') await store.whenCounted();
        const vector = await embedder.embedQuery(query, signal === undefined ? {} : { signal });
        return await store.searchVectors({ vector, fingerprint: embedder.fingerprint, filter, limit });
      }),
    );
    const cosines = new Map<string, number>();
    // An entry that is embedded anew meanwhile may be found in both spaces.
    for (const { id, score } of legs.flat()) cosines.set(id, Math.max(score, cosines.get(id) ?? -1));
    return cosines;
  }

  /** The active one, and the builtin one while rows that it stamped wait to be embedded anew. */
  #spaces(): Embedder[] {
    const { active, builtin } = this.#parts.choice;
    const waiting = this.#parts.store.directory.embedders().has(builtin.fingerprint);
    return active.fingerprint !== builtin.fingerprint && waiting ? [active, builtin] : [active];
  }
}
