import type {
  CaptureOperations,
  CaptureReceipt,
  CaptureRequest,
  CaptureReviewReport,
  CaptureReviewRequest,
  CaptureSession,
  CaptureSessionsRequest,
  CaptureStats,
  CaptureStatsRequest,
  CaptureUndoReport,
  CaptureUndoRequest,
  ContextReport,
  ContextRequest,
} from '../../memory/operations/capture-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { Limits } from './limited.ts';

/** The same operations within what an API key may do. A key bound to a namespace captures into it, whatever folder the client works in. */
export class RestrictedCapture implements CaptureOperations {
  readonly #capture: CaptureOperations;
  readonly #limits: Limits;

  constructor(capture: CaptureOperations, limits: Limits) {
    this.#capture = capture;
    this.#limits = limits;
  }

  async accept(request: CaptureRequest, options?: CallOptions): Promise<CaptureReceipt> {
    this.#limits.mayWrite();
    return await this.#capture.accept({ ...this.#limits.within(request), ...(this.#isBound && { global: false }) }, options);
  }

  async stats(request: CaptureStatsRequest, options?: CallOptions): Promise<CaptureStats> {
    const stats = await this.#capture.stats(this.#limits.within(request), options);
    // The events of all namespaces wait in one file.
    return this.#isBound ? { ...stats, waitingBytes: 0 } : stats;
  }

  async sessions(request: CaptureSessionsRequest, options?: CallOptions): Promise<readonly CaptureSession[]> {
    return await this.#capture.sessions(this.#limits.within(request), options);
  }

  async undo(request: CaptureUndoRequest, options?: CallOptions): Promise<CaptureUndoReport> {
    this.#limits.mayWrite();
    return await this.#capture.undo(this.#limits.within(request), options);
  }

  /** Of ids that the key does not reach the answer is the same as of those that name nothing. */
  async review({ ids, ...request }: CaptureReviewRequest, options?: CallOptions): Promise<CaptureReviewReport> {
    this.#limits.mayWrite();
    const reached: string[] = [];
    for (const id of ids) await this.#limits.get(id, options).then(() => reached.push(id), unlessNotFound);
    if (reached.length === 0 && ids[0] !== undefined) throw entryNotFound(ids[0]);
    return await this.#capture.review({ ...request, ids: reached }, options);
  }

  /** Entries of the global namespace are of another one: a bound key gets none, without having to say so. */
  async context(request: ContextRequest, options?: CallOptions): Promise<ContextReport> {
    return await this.#capture.context({ ...this.#limits.within(request), ...(this.#isBound && { includeGlobal: false }) }, options);
  }

  get #isBound(): boolean {
    return this.#limits.within<{ namespace?: string }>({}).namespace !== undefined;
  }
}

function unlessNotFound(error: unknown): void {
  if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
}
