import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { diskSpace } from './disk-space.ts';
import type { Journal } from './journal.ts';
import type { Maintenance } from './maintenance.ts';
import type { Reserve } from './reserve.ts';

interface Parts {
  readonly path: string;
  readonly journal: Pick<Journal, 'isBroken'>;
  readonly maintenance: Pick<Maintenance, 'isStuck'>;
  readonly reserve: Pick<Reserve, 'requireRoom'>;
}

/** Whether the store would take a write now, as far as can be told without one: its folder may be written to, and its disk has space. */
export async function isWritable({ path, journal, maintenance, reserve }: Parts): Promise<boolean> {
  if (journal.isBroken || maintenance.isStuck) return false;
  const [mayWrite, hasRoom, space] = await Promise.all([
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
    // Asked, and not only looked at: whoever waits for it to be ready sends nothing that would find the space that there is again.
    reserve.requireRoom().then(
      () => true,
      () => false,
    ),
    diskSpace(path),
  ]);
  return mayWrite && hasRoom && space?.free !== 0;
}
