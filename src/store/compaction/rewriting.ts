import type { Database } from '../tables/database.ts';
import type { Wal } from '../wal/wal.ts';
import type { Flusher, NextSpace } from './flusher.ts';
import type { TableCompaction } from './table-compaction.ts';

interface Parts {
  readonly database: Database;
  readonly wal: Wal;
  readonly flusher: Flusher;
  readonly tableCompaction: TableCompaction;
}

/** Rewrites rows of a store that no other server uses, and moves reads to the result. */
export async function rewriteOwn(
  { database, flusher, tableCompaction }: Parts,
  { plan, adopted }: NextSpace,
  write: () => Promise<void>,
): Promise<void> {
  await database.settle();
  await write();
  const indexes = await tableCompaction.rebuild(plan);
  await database.adopt();
  flusher.begin(indexes, plan);
  adopted();
  await database.secure();
}

/** Rewrites rows of a shared store on top of a flush, and publishes the result in the log with the space of the vectors. */
export async function rewriteShared(
  { database, wal, flusher, tableCompaction }: Parts,
  next: NextSpace,
  write: () => Promise<void>,
): Promise<void> {
  wal.requireHeld();
  await flusher.catchUp();
  await database.settle();
  const frozen = await flusher.close();
  const outdated = await flusher.write(frozen);
  await write();
  const indexes = await tableCompaction.rebuild(next.plan);
  await flusher.adopt(frozen, { indexes, outdated, next: { ...next, schema: database.schema } });
  await wal.drop(frozen.at(-1)?.segment ?? 0);
}
