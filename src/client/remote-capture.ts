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
  ContextItem,
  ContextReport,
  ContextRequest,
} from '../memory/operations/capture-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import { withoutSuccess, type Answered } from './answered.ts';
import type { Transport } from './transport.ts';

/** A server of an earlier version counts no contexts. */
type StatsAnswer = Omit<CaptureStats, 'since' | 'contexts'> & Partial<Pick<CaptureStats, 'contexts'>> & { readonly since?: string };
const NONE_COUNTED: CaptureStats['contexts'] = { given: 0, missed: { late: 0, 'no server': 0 } };
type SessionAnswer = Omit<CaptureSession, 'firstAt' | 'lastAt'> & { readonly firstAt: string; readonly lastAt: string };
type ItemAnswer = Omit<ContextItem, 'createdAt'> & { readonly createdAt: string };

/** Capture and context of a running server, over its /api routes. */
export class RemoteCapture implements CaptureOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async accept(request: CaptureRequest, options: CallOptions = {}): Promise<CaptureReceipt> {
    const { accepted, reason } = await this.#transport.json<CaptureReceipt>('POST', 'capture', { ...options, body: request });
    return { accepted, ...(reason !== undefined && { reason }) };
  }

  async stats(request: CaptureStatsRequest, options: CallOptions = {}): Promise<CaptureStats> {
    const answer = await this.#transport.json<StatsAnswer>('GET', 'capture/stats', { ...options, query: request });
    const { since, ...counts } = withoutSuccess(answer);
    return { contexts: NONE_COUNTED, ...counts, ...(since !== undefined && { since: Date.parse(since) }) };
  }

  async sessions(request: CaptureSessionsRequest, options: CallOptions = {}): Promise<readonly CaptureSession[]> {
    const { sessions } = await this.#transport.json<{ sessions: SessionAnswer[] }>('GET', 'capture/sessions', {
      ...options,
      query: request,
    });
    return sessions.map((session) => ({ ...session, firstAt: Date.parse(session.firstAt), lastAt: Date.parse(session.lastAt) }));
  }

  async undo(request: CaptureUndoRequest, options: CallOptions = {}): Promise<CaptureUndoReport> {
    const sent = { ...options, body: request, unlimited: true };
    return withoutSuccess(await this.#transport.json<Answered<CaptureUndoReport>>('POST', 'capture/undo', sent));
  }

  async review(request: CaptureReviewRequest, options: CallOptions = {}): Promise<CaptureReviewReport> {
    const sent = { ...options, body: request, unlimited: true };
    return withoutSuccess(await this.#transport.json<Answered<CaptureReviewReport>>('POST', 'capture/review', sent));
  }

  async context(request: ContextRequest, options: CallOptions = {}): Promise<ContextReport> {
    type Answer = Omit<ContextReport, 'items'> & { items: ItemAnswer[] };
    const { namespace, text, tokens, items } = await this.#transport.json<Answer>('POST', 'context', {
      ...options,
      body: request,
      safe: true,
    });
    return { namespace, text, tokens, items: items.map((item) => ({ ...item, createdAt: Date.parse(item.createdAt) })) };
  }
}
