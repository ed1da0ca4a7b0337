import type { CallOptions } from '../../memory/operations/operations.ts';
import type {
  RemovedSource,
  RemoveSourcesRequest,
  ReplacedSource,
  ReplaceSourcesRequest,
  SourceOperations,
  SourcePage,
  SourcesRequest,
} from '../../memory/operations/source-operations.ts';
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do. */
export class RestrictedSources implements SourceOperations {
  readonly #sources: SourceOperations;
  readonly #limits: Limits;

  constructor(sources: SourceOperations, limits: Limits) {
    this.#sources = sources;
    this.#limits = limits;
  }

  async list(request: SourcesRequest, options?: CallOptions): Promise<SourcePage> {
    return await this.#sources.list(this.#limits.within(request), options);
  }

  async replace(request: ReplaceSourcesRequest, options?: CallOptions): Promise<readonly ReplacedSource[]> {
    this.#limits.mayWrite();
    return await this.#sources.replace(this.#limits.within(request), options);
  }

  async remove(request: RemoveSourcesRequest, options?: CallOptions): Promise<readonly RemovedSource[]> {
    this.#limits.mayWrite();
    return await this.#sources.remove(this.#limits.within(request), options);
  }
}
