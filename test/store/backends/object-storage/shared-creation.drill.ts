import { expect, it } from 'vitest';
import { connect } from '../../../../src/store/backends/connection.ts';
import { createMeta } from '../../../../src/store/wal/shared/shared-meta.ts';
import { createDeadline } from '../../../../src/store/wal/shared/deadline.ts';
import { createShared, type SharedCreation } from '../../../../src/store/backends/object-storage/shared-creation.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { gate } from '../../../helpers/gate.ts';
import { HEAD, openTestLog } from '../../../helpers/shared-log.ts';
import { openTestStore } from '../../../helpers/store.ts';

/** How a server creates a store in a folder, and how often one made the tables. */
function creationIn(folder: string, facts: Partial<SharedCreation> = {}): { creation: SharedCreation; made: () => number } {
  let made = 0;
  const creation: SharedCreation = {
    connect: () => connect(folder),
    timeoutMs: 30_000,
    format: 1,
    settleMs: 500,
    makeTables: async (connection) => {
      made += 1;
      const table = await connection.createTable('entries', [{ id: 'a' }]);
      return { ...HEAD, version: await table.version() };
    },
    ...facts,
  };
  return { creation, made: () => made };
}

it('lets one of several concurrent servers create a store, and gives all of them the same', async () => {
  await using folder = await temporaryFolder();
  const { creation, made } = creationIn(folder.path);
  await Promise.all([1, 2, 3, 4].map(() => createShared(creation)));
  expect(made()).toBe(1);
  const servers = await Promise.all([1, 2, 3, 4].map(() => openTestLog(folder.path)));
  expect(new Set(servers.map(({ shared }) => shared.storeId)).size).toBe(1);
  for (const { shared } of servers) expect(shared.beginning).toMatchObject({ checkpoint: HEAD, events: [{ kind: 'release' }] });
  await Promise.all(servers.map(({ shared }) => shared.close()));
});

it('does nothing if there is a store', async () => {
  await using folder = await temporaryFolder();
  const { creation, made } = creationIn(folder.path);
  await createShared(creation);
  await createShared(creation);
  expect(made()).toBe(1);
});

it('reports what is missing in an unfinished store', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  await createMeta({ connection, within: createDeadline(30_000) }, { storeId: 'begun', format: 1 });
  connection.close();
  const { creation, made } = creationIn(folder.path, { waitMs: 300 });
  await expect(createShared(creation)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the log') as unknown,
  });
  expect(made()).toBe(0);
  await expect(openTestLog(folder.path)).rejects.toMatchObject({ code: 'not_found' });
});

it('waits for a store that another server is creating', async () => {
  await using folder = await temporaryFolder();
  const made = gate();
  const begun = gate();
  const slow = creationIn(folder.path, {
    makeTables: async () => {
      begun.open();
      await made.opened;
      return HEAD;
    },
  });
  const first = createShared(slow.creation);
  await begun.opened;
  const other = creationIn(folder.path);
  const second = createShared(other.creation);
  made.open();
  await Promise.all([first, second]);
  expect(other.made()).toBe(0);
});

it('is refused if other tables exist, which are left alone', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  await connection.createTable('notes', [{ id: 'a' }]);
  const { creation, made } = creationIn(folder.path);
  await expect(createShared(creation)).rejects.toMatchObject({ code: 'filesystem', message: expect.stringContaining('notes') as unknown });
  expect(made()).toBe(0);
  expect(await connection.tableNames()).toEqual(['notes']);
  connection.close();
});

it('is refused for a single-server store', async () => {
  await using folder = await temporaryFolder();
  await (await openTestStore(folder.path)).close();
  const { creation } = creationIn(folder.path);
  await expect(createShared(creation)).rejects.toMatchObject({
    code: 'filesystem',
    message: expect.stringContaining('does not name a shared store') as unknown,
  });
});
