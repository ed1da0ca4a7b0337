import { LoreError } from './errors.ts';

/** An idempotent request: carried out once, however often it is sent. Its response is stored in the same commit as its changes. */
export interface IdempotentRequest {
  /** A digest of the caller and the Idempotency-Key; reveals neither. */
  readonly id: string;
  /** A digest of the request. */
  readonly fingerprint: string;
  /** Builds the response to store from a result. Called once, while the change is decided; must not throw. */
  readonly responseTo: (result: unknown) => string;
}

/** The stored response to a request. */
export interface StoredResponse {
  readonly id: string;
  readonly fingerprint: string;
  /** Time of the change, epoch milliseconds. */
  readonly at: number;
  readonly answer: string;
}

/** The idempotency store: responses to requests with an Idempotency-Key. */
export interface StoredResponses {
  /**
   * Carries out a request. Resolves with the stored response if it was done before, with undefined if `work` ran now. Rejects as `work`
   * does and then stores nothing. Rejects with `conflict` while the same request is in progress, and with `key_reused` if the key belongs
   * to another request.
   */
  once(request: IdempotentRequest, work: () => Promise<unknown>): Promise<string | undefined>;
}

/** The error for a change whose request already has a stored response. */
export class DuplicateRequestError extends Error {
  constructor() {
    super('This request was carried out before.');
    this.name = 'AlreadyAnswered';
  }
}

/** The same request with a response built from a converted result; undefined for undefined. */
export function withConvertedResult(
  request: IdempotentRequest | undefined,
  resultOf: (decided: never) => unknown,
): IdempotentRequest | undefined {
  return request && { ...request, responseTo: (decided) => request.responseTo(resultOf(decided as never)) };
}

/** Rejects a key that was used for another request. */
export function requireSameRequest(known: Pick<StoredResponse, 'fingerprint'>, asked: Pick<IdempotentRequest, 'fingerprint'>): void {
  if (known.fingerprint === asked.fingerprint) return;
  throw new LoreError('key_reused', 'This Idempotency-Key was used for another request, with a different route, query or body.', {
    hint: 'Use a new key for each request. Use the same key only to repeat a request.',
  });
}
