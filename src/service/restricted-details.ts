import type {
  DetailOperations,
  EntryPassage,
  NearEntries,
  NearRequest,
  SimilarEntries,
  SimilarRequest,
} from '../memory/detail-operations.ts';
import { LoreError } from '../memory/errors.ts';
import type { CallOptions } from '../memory/operations.ts';
import type { Limits } from './restricted-relations.ts';

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
    if (request.allNamespaces === true) this.#mayLeaveNamespace();
    await this.#limits.get(id, options);
    return await this.#details.similar(id, within, options);
  }

  async near(request: NearRequest, options?: CallOptions): Promise<NearEntries> {
    if (request.global === true) this.#mayLeaveNamespace();
    return await this.#details.near(this.#limits.within(request), options);
  }

  async passages(id: string, options?: CallOptions): Promise<readonly EntryPassage[]> {
    await this.#limits.get(id, options);
    return await this.#details.passages(id, options);
  }

  #mayLeaveNamespace(): void {
    const { namespace } = this.#limits.within<{ namespace?: string }>({});
    if (namespace !== undefined) throw new LoreError('forbidden', 'This key is bound to one namespace.');
  }
}
