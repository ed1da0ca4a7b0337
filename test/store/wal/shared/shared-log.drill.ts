import { expect, it } from 'vitest';
import { connect } from '../../../../src/store/backends/connection.ts';
import { comparePositions } from '../../../../src/store/wal/shared/shared-log.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { row } from '../../../helpers/store.ts';
import { createTestLog, HEAD, openTestLog, removal, removedIds, type TestLog } from '../../../helpers/shared-log.ts';

/** Appends as a writer does: decides again until it counts. */
async function append({ shared }: TestLog, id: string): Promise<void> {
  while (!(await shared.append([removal(id)])));
}

it('shows the append of another server after a refresh, in the same order', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  await append(first, 'a');
  await append(second, 'b');
  await append(first, 'c');
  expect(second.told.length).toBeLessThan(3);
  await Promise.all([first.shared.refresh(), second.shared.refresh()]);
  expect(removedIds(first.told)).toEqual(['a', 'b', 'c']);
  expect(second.told).toEqual(first.told);
  await Promise.all([first.shared.close(), second.shared.close()]);
});

it('returns a batch undecided if another came before, and reports the other', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [first, second] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  expect(await first.shared.append([removal('a')])).toBe(true);
  expect(await second.shared.append([removal('b')])).toBe(false);
  expect(removedIds(second.told)).toEqual(['a']);
  expect(await second.shared.append([removal('b')])).toBe(true);
  await first.shared.refresh();
  expect(removedIds(first.told)).toEqual(['a', 'b']);
  await Promise.all([first.shared.close(), second.shared.close()]);
});

it('counts one of several appends decided on the same state', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = await Promise.all([1, 2, 3, 4].map(() => openTestLog(folder.path)));
  const counted = await Promise.all(
    servers.flatMap(({ shared }, nth) => [shared.append([removal(`${nth}`)]), shared.append([removal(`${nth}'`)])]),
  );
  expect(counted.filter(Boolean)).toHaveLength(1);
  for (const { shared } of servers) await shared.refresh();
  for (const { told } of servers) expect(told).toEqual(servers[0]?.told);
  expect(servers[0]?.told).toHaveLength(1);
  await Promise.all(servers.map(({ shared }) => shared.close()));
});

it('keeps concurrent appends of several servers, each once and in order per writer', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = await Promise.all([1, 2, 3].map(() => openTestLog(folder.path)));
  await Promise.all(
    servers.map(async (server, nth) => {
      for (let count = 0; count < 20; count += 1) await append(server, `${nth}:${count}`);
    }),
  );
  const late = await openTestLog(folder.path);
  for (const { shared } of servers) await shared.refresh();
  const ids = removedIds(late.shared.beginning.events);
  expect(new Set(ids).size).toBe(60);
  expect(ids).toHaveLength(60);
  for (const nth of [0, 1, 2])
    expect(ids.filter((id) => id.startsWith(`${nth}:`))).toEqual(Array.from({ length: 20 }, (_, count) => `${nth}:${count}`));
  for (const { told } of servers) expect(removedIds(told)).toEqual(ids);
  await Promise.all([late, ...servers].map(({ shared }) => shared.close()));
});

it('distinguishes its own row from rows of others, however often it polls', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const servers = await Promise.all([1, 2].map(() => openTestLog(folder.path)));
  const work = { isOver: false };
  const looking = servers.map(async ({ shared }) => {
    while (!work.isOver) await shared.refresh();
  });
  await Promise.all(
    servers.map(async (server, nth) => {
      for (let count = 0; count < 100; count += 1) await append(server, `${nth}:${count}`);
    }),
  );
  work.isOver = true;
  await Promise.all(looking);
  for (const { shared } of servers) await shared.refresh();
  const late = await openTestLog(folder.path);
  for (const { told } of servers) expect(removedIds(told)).toEqual(removedIds(late.shared.beginning.events));
  expect(new Set(removedIds(late.shared.beginning.events)).size).toBe(200);
  await Promise.all([late, ...servers].map(({ shared }) => shared.close()));
});

it('returns entries and vectors as they were appended', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const [writer, reader] = [await openTestLog(folder.path), await openTestLog(folder.path)];
  const records = [{ op: 'put' as const, row: { ...row('The kettle is in the garage.'), writtenAt: 5 } }, removal('b')];
  expect(await writer.shared.append(records)).toBe(true);
  const events = await reader.shared.refresh();
  expect(events).toEqual([expect.objectContaining({ kind: 'records', records })]);
  expect(events).toEqual(reader.told);
  await Promise.all([writer.shared.close(), reader.shared.close()]);
});

it('begins with the last checkpoint and everything after its mark', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const writer = await openTestLog(folder.path);
  expect(writer.shared.beginning).toMatchObject({ checkpoint: HEAD });
  await append(writer, 'before');
  expect(await writer.shared.takeLease()).toBe(true);
  const mark = await writer.shared.mark();
  await append(writer, 'between');
  const head = { ...HEAD, entries: [{ version: 7, rows: 1 }] };
  expect(mark).toBeDefined();
  if (mark === undefined) return;
  expect(await writer.shared.publish(mark, head)).toBe(true);
  await append(writer, 'after');
  const late = await openTestLog(folder.path);
  expect(late.shared.beginning).toMatchObject({ checkpoint: head, mark });
  expect(removedIds(late.shared.beginning.events)).toEqual(['between', 'after']);
  expect(late.shared.beginning.events.every(({ position }) => comparePositions(position, mark) > 0)).toBe(true);
  expect(writer.told).toContainEqual(expect.objectContaining({ kind: 'head', mark, head, server: writer.shared.server }));
  await Promise.all([writer.shared.close(), late.shared.close()]);
});

it('rejects every call of a closed log', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const { shared } = await openTestLog(folder.path);
  await shared.close();
  await shared.close();
  await expect(shared.refresh()).rejects.toThrow('The store is closed.');
  await expect(shared.append([removal('a')])).rejects.toThrow('The store is closed.');
  await expect(shared.takeLease()).rejects.toThrow('The store is closed.');
});

it('reports a missing store', async () => {
  await using folder = await temporaryFolder();
  await expect(openTestLog(folder.path)).rejects.toMatchObject({ code: 'not_found' });
});

it('reports an unreadable batch each time instead of skipping it', async () => {
  await using folder = await temporaryFolder();
  await createTestLog(folder.path);
  const { shared, told } = await openTestLog(folder.path);
  const connection = await connect(folder.path);
  const name = (await connection.tableNames()).find((table) => table.startsWith('log_')) ?? '';
  const table = await connection.openTable(name);
  const damaged = {
    id: 'x',
    server: 's',
    kind: 'records',
    base: 0,
    term: null,
    at: 1,
    note: '{"count":1}',
    payload: Buffer.from('not a frame'),
  };
  await table.add([damaged]);
  await expect(shared.refresh()).rejects.toMatchObject({ code: 'filesystem', message: expect.stringContaining('Batch x') as unknown });
  await expect(shared.refresh()).rejects.toMatchObject({ code: 'filesystem' });
  expect(told).toEqual([]);
  await shared.close();
  connection.close();
});
