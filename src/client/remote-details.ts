import type {
  DetailOperations,
  EntryPassage,
  NearEntries,
  NearRequest,
  NearResult,
  SimilarEntries,
  SimilarRequest,
} from '../memory/operations/detail-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import { scoredFrom, type ReferenceResult } from './reference-form.ts';
import type { Transport } from './transport.ts';

/** Neighbours and passages of the entries of a running server, over its /api routes. */
export class RemoteDetails implements DetailOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async similar(id: string, request: SimilarRequest, options: CallOptions = {}): Promise<SimilarEntries> {
    type Answer = Pick<SimilarEntries, 'vector'> & { readonly results: readonly ReferenceResult[] };
    const path = `${encodeURIComponent(id)}/similar`;
    const { vector, results } = await this.#transport.json<Answer>('GET', path, { ...options, query: request });
    return { vector, results: results.map(scoredFrom) };
  }

  async near(request: NearRequest, options: CallOptions = {}): Promise<NearEntries> {
    type Found = ReferenceResult & Pick<NearResult, 'differs' | 'repeats'>;
    type Answer = Pick<NearEntries, 'threshold'> & { readonly results: readonly Found[] };
    const { threshold, results } = await this.#transport.json<Answer>('POST', 'near', { ...options, body: request, safe: true });
    return {
      threshold,
      results: results.map(({ differs, repeats, ...result }) => ({
        ...scoredFrom(result),
        ...(differs && { differs }),
        ...(repeats && { repeats }),
      })),
    };
  }

  async passages(id: string, options: CallOptions = {}): Promise<readonly EntryPassage[]> {
    const path = `${encodeURIComponent(id)}/passages`;
    const { passages } = await this.#transport.json<{ passages: readonly EntryPassage[] }>('GET', path, options);
    return passages;
  }
}
