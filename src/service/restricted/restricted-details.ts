import type {
  DetailOperations,
  EntryPassage,
  NearEntries,
  NearRequest,
  SimilarEntries,
  SimilarRequest,
} from '../../memory/operations/detail-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do: a bound key sees neighbours of its own namespace alone. */
export class RestrictedDetails implements DetailOperations {
  readonly #details: DetailOperations;
  readonly #limits: Limits;

  constructor(details: DetailOperations, limits: Limits) {
    this.#details = details;
    this.#limits = limits;
  }

  async similar(id: string, request: SimilarRequest, options?: CallOptions): Promise<SimilarEntries> {
    const within = this.#limits.within(request);
    if (request.allNamespaces === true) this.#limits.mayLeaveNamespace();
    await this.#limits.get(id, options);
    return await this.#details.similar(id, within, options);
  }

  async near(request: NearRequest, options?: CallOptions): Promise<NearEntries> {
    if (request.global === true) this.#limits.mayLeaveNamespace();
    return await this.#details.near(this.#limits.within(request), options);
  }

  async passages(id: string, options?: CallOptions): Promise<readonly EntryPassage[]> {
    await this.#limits.get(id, options);
    return await this.#details.passages(id, options);
  }
}
