import { expect, it } from 'vitest';
import { silentLog } from '../../../src/memory/log.ts';
import { connect } from '../../../src/store/backends/connection.ts';
import { SharedLog } from '../../../src/store/wal/shared/shared-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { failureOf } from '../../helpers/failure.ts';
import { Pair } from '../../helpers/shared-store.ts';
import { row } from '../../helpers/store.ts';

/** More than may wait for the tables in memory. */
const MUCH = 32;
const large = (nth: number): string => `entry ${nth} ${'harbour '.repeat(100_000)}`;

async function fill(store: Store): Promise<void> {
  for (let nth = 0; nth < MUCH; nth += 1) await store.entries.insert(row(large(nth)));
}

it('a process that need not maintain the store does so if it writes much and no other does', async () => {
  await using pair = await Pair.open();
  await Promise.all([pair.first.close(), pair.second.close()]);
  const command = await pair.add({ name: 'c', mayMaintain: false });
  const { tableVersion } = await command.figures.table();
  await fill(command);
  expect(command.maintains).toBe(true);
  expect((await command.figures.table()).tableVersion).toBeGreaterThan(tableVersion);
  expect(command.catalog.size).toBe(MUCH);
});

it('a server whose maintainer is late refuses writes instead of keeping all in memory', async () => {
  await using pair = await Pair.open();
  await Promise.all([pair.first.close(), pair.second.close()]);
  const follower = await pair.add({ name: 'c', mayMaintain: false, leaseMs: 600_000 });
  const idle = await SharedLog.open({
    connect: () => connect(pair.place),
    server: 'idle',
    timeoutMs: 10_000,
    leaseMs: 600_000,
    log: silentLog,
    onEvent: () => undefined,
  });
  expect(await idle.takeLease()).toBe(true);
  expect(await failureOf(fill(follower))).toMatchObject({ code: 'unavailable', message: 'The server that maintains the store is behind.' });
  await idle.close();
});
