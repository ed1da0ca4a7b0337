import { LoreError } from './errors.ts';

/** A request that is carried out once, however often it is sent: its answer is kept together with what it changed. */
export interface IdempotentRequest {
  /** A digest of who asks and of the key that they chose; tells neither. */
  readonly id: string;
  /** A digest of what is asked for. */
  readonly fingerprint: string;
  /** What is kept of the answer to a result. Called once, while the change is decided; must not throw. */
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
   * Carries a request out, unless that was done before: then resolves with what was kept of its answer; with undefined where `work` was done
   * now. What `work` rejects with is passed on and nothing is kept. Rejects with `conflict` while the same request is carried out, with
   * `key_reused` where its key belongs to another request.
   */
  once(request: IdempotentRequest, work: () => Promise<unknown>): Promise<string | undefined>;
}

/** Why a change is not made: the request that it is of has its answer already. */
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

/** Rejects a key that was used for something else. */
export function requireSameRequest(known: Pick<KeptAnswer, 'fingerprint'>, asked: Pick<IdempotentRequest, 'fingerprint'>): void {
  if (known.fingerprint === asked.fingerprint) return;
  throw new LoreError('key_reused', 'This Idempotency-Key was used for another request, with a different route, query or body.', {
    hint: 'Use a new key for each request. Use the same key only to repeat a request.',
  });
}
