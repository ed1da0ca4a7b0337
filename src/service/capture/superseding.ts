import type { Clock } from '../../memory/clock.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Store } from '../../store/store.ts';
import type { WriteLimiter } from '../write-limiter.ts';

interface Parts {
  readonly store: Store;
  readonly limiter: WriteLimiter;
  readonly clock: Clock;
}

/** Relates a captured entry to the older one that it replaces. Changes nothing if one of them was deleted meanwhile. */
export async function supersede({ store, limiter, clock }: Parts, sourceId: string, targetId: string): Promise<void> {
  const relation = { sourceId, targetId, type: 'supersedes', strength: 1, createdAt: clock.now(), origin: 'auto' } as const;
  await limiter.many({ changes: 1, chars: 0 }, () => store.entries.changes.relate(relation).catch(ignoreMissing));
}

/** For `catch`: ignores the error that an entry no longer exists, and rethrows any other. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
}
