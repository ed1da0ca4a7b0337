import { LoreError } from './errors.ts';

/** An idempotent request: carried out once, however often it is sent. Its answer is stored in the same commit as its changes. */
export interface IdempotentRequest {
  /** A digest of the caller and the Idempotency-Key; reveals neither. */
  readonly id: string;
  /** A digest of the request. */
  readonly fingerprint: string;
  /** Builds the stored answer for a result. Called once, while the change is decided; must not throw. */
  readonly answerTo: (result: unknown) => string;
}

/** What was kept of the answer to a request. */
export interface KeptAnswer {
  readonly id: string;
  readonly fingerprint: string;
  /** When it was decided, epoch milliseconds. */
  readonly at: number;
  readonly answer: string;
}

/** The answers that were given to requests with a key. */
export interface Answers {
  /**
   * Carries out a request. If that was done before, resolves with the stored answer; with undefined if `work` ran now. If `work` rejects,
   * so does this, and nothing is stored. Rejects with `conflict` while the same request is carried out, with
   * `key_reused` where its key belongs to another request.
   */
  once(request: IdempotentRequest, work: () => Promise<unknown>): Promise<string | undefined>;
}

/** The error for a change whose request already has an answer. */
export class AlreadyAnswered extends Error {
  constructor() {
    super('This request was carried out before.');
    this.name = 'AlreadyAnswered';
  }
}

/** The same request, where what is told of it is made of something else first; none where there is none. */
export function answeredBy(request: IdempotentRequest | undefined, resultOf: (decided: never) => unknown): IdempotentRequest | undefined {
  return request && { ...request, answerTo: (decided) => request.answerTo(resultOf(decided as never)) };
}

/** Rejects a key that was used for another request. */
export function requireSameRequest(known: Pick<KeptAnswer, 'fingerprint'>, asked: Pick<IdempotentRequest, 'fingerprint'>): void {
  if (known.fingerprint === asked.fingerprint) return;
  throw new LoreError('key_reused', 'This Idempotency-Key was used for another request, with a different route, query or body.', {
    hint: 'Use a new key for each request. Use the same key only to repeat a request.',
  });
}
