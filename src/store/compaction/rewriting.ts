import type { Database } from '../tables/database.ts';
import type { Ledger } from '../wal/wal.ts';
import type { Flusher, NextSpace } from './flusher.ts';
import type { Tending } from './table-compaction.ts';

interface Parts {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly course: Flusher;
  readonly tending: Tending;
}

/** Rewrites rows of a store that no other server uses, and moves reads to the result. */
export async function rewriteOwn(
  { database, course, tending }: Parts,
  { plan, adopted }: NextSpace,
  write: () => Promise<void>,
): Promise<void> {
  await database.settle();
  await write();
  const indexes = await tending.rebuild(plan);
  await database.adopt();
  course.begin(indexes, plan);
  adopted();
  await database.secure();
}

/** Rewrites rows of a shared store on top of a flush, and publishes the result in the log with the space of the vectors. */
export async function rewriteShared(
  { database, ledger, course, tending }: Parts,
  next: NextSpace,
  write: () => Promise<void>,
): Promise<void> {
  ledger.requireHeld();
  await course.catchUp();
  await database.settle();
  const sealed = await course.close();
  const outdated = await course.write(sealed);
  await write();
  const indexes = await tending.rebuild(next.plan);
  await course.adopt(sealed, { indexes, outdated, next: { ...next, schema: database.schema } });
  await ledger.drop(sealed.at(-1)?.part ?? 0);
}
