import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import type { Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { ForgetReport, ForgetRequest } from '../../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { selectedIds, selectionOf, type Selection } from '../changes/entry-selection.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const TOKEN_MS = 10 * 60_000;
const PREVIEWED = 10;
/** Entries forgotten together: one commit. */
const BATCH = 100;

interface Parts {
  readonly store: Pick<Store, 'catalog' | 'entries'>;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
}

/**
 * Forgets entries by ids or filter, in two steps. The token of the first step is a signature over the matching ids, the kind of deletion
 * and its expiry, with a secret of this process, so it is not valid for another set or request.
 */
export class Forgetting {
  readonly #parts: Parts;
  readonly #secret = randomBytes(32);
  readonly #yielder = new EventLoopYielder();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Without `confirm`, counts and returns a token; with it, forgets. Rejects with `invalid_input` if the token is not valid. */
  async forget({ permanent = false, confirm, ...selection }: ForgetRequest, { source = 'api' }: CallOptions = {}): Promise<ForgetReport> {
    const ids = selectedIds(this.#parts.store.catalog, selection, 'forget');
    const preview = await this.#parts.store.entries.getMany(ids.slice(0, PREVIEWED));
    if (confirm === undefined) {
      const token = this.#sign(ids, { permanent, until: Date.now() + TOKEN_MS });
      return { matches: ids.length, preview, done: false, ...(ids.length > 0 && { token }) };
    }
    this.#check(confirm, ids, permanent);
    const run = permanent ? undefined : randomUUID();
    await this.#forgetAll(ids, { selection, run, by: source });
    return { matches: ids.length, preview, done: true, ...withoutUndefined({ run }) };
  }

  /** Stops after the current batch. */
  close(): void {
    this.#yielder.stop();
  }

  async #forgetAll(ids: readonly string[], how: { selection: Selection; run: string | undefined; by: Source }): Promise<void> {
    const { catalog, entries } = this.#parts.store;
    const { changes } = entries;
    const isMatch = selectionOf(how.selection, 'forget');
    const isStillMeant = (id: string): boolean => {
      const known = catalog.get(id);
      return known !== undefined && isMatch(known);
    };
    const forget = ({ run, by }: typeof how, id: string): Promise<void> =>
      run === undefined
        ? changes.remove(id, undefined, { deletedAt: this.#parts.clock.now() })
        : changes.archive(id, { at: this.#parts.clock.now(), reason: 'forgotten', run }, { by, holds: isMatch });
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH).filter(isStillMeant);
      const size = { changes: batch.length, chars: 0 };
      await this.#parts.limiter.many(size, () => Promise.all(batch.map((id) => forget(how, id).catch(ignoreMissing))));
      await this.#yielder.pause();
    }
  }

  #sign(ids: readonly string[], { permanent, until }: { permanent: boolean; until: number }): string {
    const text = [until, permanent, ...ids.toSorted()].join(' ');
    return `${until.toString(36)}.${createHmac('sha256', this.#secret).update(text).digest('base64url')}`;
  }

  #check(token: string, ids: readonly string[], permanent: boolean): void {
    const until = Number.parseInt(token.split('.')[0] ?? '', 36);
    const [given, right] = [Buffer.from(token), Buffer.from(this.#sign(ids, { permanent, until: Number.isFinite(until) ? until : 0 }))];
    const entries = ids.length === 1 ? '1 entry' : `${ids.length.toLocaleString('en-US')} entries`;
    if (given.length !== right.length || !timingSafeEqual(given, right)) {
      throw new LoreError(
        'invalid_input',
        `confirm is not the token for the current matches (${entries}). The matches have changed: run the dry run again.`,
      );
    }
    if (until < Date.now())
      throw new LoreError('invalid_input', 'confirm must be a token from the last ten minutes: run the dry run again.');
  }
}

/** Deleted or changed in the meantime. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code))) throw error;
}
