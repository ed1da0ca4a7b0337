import type { Embedder, EmbedderChoice } from '../../embeddings/embedder.ts';
import type { EntryFilter } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { Hit } from '../../store/read/search.ts';
import type { VectorSpace } from '../../store/format/vector-space.ts';
import type { Store } from '../../store/store.ts';

/** Result of a vector search: id -> cosine. */
export type Cosines = ReadonlyMap<string, number>;

export interface VectorQuery {
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

/** Native vector search, in every space with rows. */
export class VectorLeg {
  readonly #parts: Parts;
  #failures = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Number of failed searches, in one space or in all; an answer without them may differ later. */
  get failures(): number {
    return this.#failures;
  }

  /** Rejects with `unavailable` if the model fails. */
  async search(wanted: VectorQuery): Promise<Cosines> {
    try {
      return await this.#nearest(wanted);
    } catch (error) {
      this.#note(error, wanted);
      if (error instanceof LoreError && error.code !== 'network') throw error;
      throw new LoreError('unavailable', 'The embedding model does not answer, so vector search is not available.', {
        cause: error,
        hint: 'Use keyword search until it is back.',
        retryAfterSeconds: 10,
      });
    }
  }

  /** Like `search`, but undefined on failure, because the words alone may answer. Rejects only if the caller cancels. */
  async tryToSearch(wanted: VectorQuery): Promise<Cosines | undefined> {
    try {
      return await this.#nearest(wanted);
    } catch (error) {
      this.#note(error, wanted);
      return undefined;
    }
  }

  /**
   * Id -> cosine of each of its passages to the query, in the order of the text, whether or not a search found the entry. Leaves out
   * passages without a vector, and all if the model fails. Rejects only if the caller cancels.
   */
  async passageCosines(ids: Iterable<string>, asked: Pick<VectorQuery, 'query' | 'signal'>): Promise<Map<string, readonly number[]>> {
    const { store, choice } = this.#parts;
    const wanted = [...ids];
    const legs = [choice.active, ...this.#others()].map(async (embedder) => {
      const { fingerprint } = embedder;
      const own = wanted.filter((id) => store.catalog.get(id)?.embedder === fingerprint);
      if (own.length === 0) return [];
      const vector = await embedder.embedQuery(asked.query, asked.signal === undefined ? {} : { signal: asked.signal });
      return [...(await store.passageCosines({ ids: own, vector, fingerprint }))];
    });
    const found = await Promise.all(legs.map((leg) => leg.catch((error: unknown) => this.#without(error, asked))));
    return new Map(found.flat());
  }

  #note(error: unknown, { signal }: Pick<VectorQuery, 'signal'>): void {
    this.#failures += 1;
    signal?.throwIfAborted();
    this.#parts.log.warn({ error: String(error) }, 'the vector leg of a search failed');
  }

  /** One native search in each space; a query vector is never compared with vectors of another model. */
  async #nearest(wanted: VectorQuery): Promise<Cosines> {
    const { choice } = this.#parts;
    const { active } = choice;
    const found = await this.#nearestNow(wanted);
    // While the query was embedded, all entries got vectors of another model.
    return choice.active === active ? found : await this.#nearestNow(wanted);
  }

  async #nearestNow(wanted: VectorQuery): Promise<Cosines> {
    const others = this.#others().map((embedder) => this.#leg(embedder, wanted).catch((error: unknown) => this.#without(error, wanted)));
    const legs = await Promise.all([this.#leg(this.#parts.choice.active, wanted), ...others]);
    const cosines = new Map<string, number>();
    // An entry that is being embedded again may be found in both spaces.
    for (const { id, score } of legs.flat()) cosines.set(id, Math.max(score, cosines.get(id) ?? -1));
    return cosines;
  }

  async #leg(embedder: Embedder, { query, filter, limit, signal }: VectorQuery): Promise<Hit[]> {
    const { store } = this.#parts;
    if (embedder.kind === 'lexical') await store.whenCounted();
    const vector = await embedder.embedQuery(query, signal === undefined ? {} : { signal });
    return await store.searchVectors({ vector, fingerprint: embedder.fingerprint, filter, limit });
  }

  /** The spaces that some entries still have vectors in: a few for a moment, or single namespaces. */
  #others(): Embedder[] {
    const { store, choice } = this.#parts;
    const { active, target } = choice;
    return [...store.catalog.embedders().keys()].flatMap((fingerprint) => {
      if (fingerprint === '' || fingerprint === active.fingerprint) return [];
      return fingerprint === target.fingerprint ? [target] : (choice.previousModel(fingerprint) ?? []);
    });
  }

  #without(error: unknown, wanted: Pick<VectorQuery, 'signal'>): [] {
    this.#note(error, wanted);
    return [];
  }
}

/** The space of the vectors of an embedder. */
export function spaceOf({ fingerprint, dimensions, kind }: Embedder): VectorSpace {
  return { fingerprint, width: dimensions, kind };
}
