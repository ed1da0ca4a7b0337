import type { CallOptions } from '../memory/operations/operations.ts';
import type {
  RemovedSource,
  RemoveSourcesRequest,
  ReplacedSource,
  ReplaceSourcesRequest,
  SourceOperations,
  SourcePage,
  SourcesRequest,
  StoredSource,
} from '../memory/operations/source-operations.ts';
import type { Transport } from './transport.ts';

type StoredSourceAnswer = Omit<StoredSource, 'updatedAt'> & { readonly updatedAt: string };

/** The files of a running server, over its /api routes. Embedding may take as long as it needs. */
export class RemoteSources implements SourceOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(request: SourcesRequest, options: CallOptions = {}): Promise<SourcePage> {
    type Answer = Omit<SourcePage, 'sources'> & { sources: StoredSourceAnswer[] };
    const { sources, total, offset, limit } = await this.#transport.json<Answer>('GET', 'sources', { ...options, query: request });
    return { sources: sources.map((source) => ({ ...source, updatedAt: Date.parse(source.updatedAt) })), total, offset, limit };
  }

  async replace(request: ReplaceSourcesRequest, options: CallOptions = {}): Promise<readonly ReplacedSource[]> {
    type Answer = { files: ReplacedSource[] };
    return (await this.#transport.json<Answer>('POST', 'sources', { ...options, body: request, unlimited: true })).files;
  }

  async remove(request: RemoveSourcesRequest, options: CallOptions = {}): Promise<readonly RemovedSource[]> {
    type Answer = { files: RemovedSource[] };
    return (await this.#transport.json<Answer>('DELETE', 'sources', { ...options, body: request, unlimited: true })).files;
  }
}
