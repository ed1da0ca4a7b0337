import { LoreError } from '../../memory/errors.ts';
import { DuplicateRequestError, requireSameRequest, type StoredResponses, type IdempotentRequest } from '../../memory/idempotency.ts';
import type { Store } from '../../store/store.ts';

const RETRY_SECONDS = 1;

/**
 * Carries out each idempotent request once. The order of changes in the store decides; requests running in this process are tracked here,
 * so that the second of two does not repeat the work.
 */
export class IdempotencyStore implements StoredResponses {
  readonly #store: Pick<Store, 'entries' | 'auxiliary'>;
  /** Fingerprints by the id of the request. */
  readonly #underWay = new Map<string, string>();

  constructor(store: Pick<Store, 'entries' | 'auxiliary'>) {
    this.#store = store;
  }

  async once(request: IdempotentRequest, work: () => Promise<unknown>): Promise<string | undefined> {
    const kept = await this.#find(request);
    if (kept !== undefined) return kept;
    const { id, fingerprint } = request;
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) {
      requireSameRequest({ fingerprint: underWay }, request);
      throw new LoreError('conflict', 'A request with this Idempotency-Key is in progress; send it again for its response.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.#underWay.set(id, fingerprint);
    try {
      const result = await work();
      const { entries, auxiliary } = this.#store;
      if (auxiliary.idempotencyIndex.find(id) === undefined) await entries.changes.answer(request, result);
      return undefined;
    } catch (error) {
      // Another process that shares the log was faster.
      const answer = error instanceof DuplicateRequestError ? await this.#find(request) : undefined;
      if (answer === undefined) throw error;
      return answer;
    } finally {
      this.#underWay.delete(id);
    }
  }

  async #find(request: IdempotentRequest): Promise<string | undefined> {
    const { idempotencyIndex: known, answers } = this.#store.auxiliary;
    const found = known.find(request.id);
    if (found === undefined) return undefined;
    requireSameRequest(found, request);
    return (await answers.get(request.id))?.answer;
  }
}
