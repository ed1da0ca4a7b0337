import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Transport } from '../../src/client/transport.ts';
import { groupCalls } from '../../src/client/group-calls.ts';
import type { SyncOperations } from '../../src/memory/operations/sync-operations.ts';
import type { TestApp } from '../helpers/app.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { forgetIds, openSide, planOf, send } from '../helpers/syncing.ts';

const KEYS = [
  { name: 'all', access: 'full' },
  { name: 'reader', access: 'read' },
  { name: 'bound', access: 'full', namespace: 'team' },
] as const;
type KeyName = (typeof KEYS)[number]['name'];

let server: TestServer;
let mine: TestApp;
beforeEach(async () => {
  server = await startTestServer({
    keys: KEYS,
    storage: { durability: 'process' },
    server: { bodyLimitBytes: 20_000 },
    audit: { enabled: true },
  });
  mine = await openSide();
});
afterEach(async () => {
  await mine[Symbol.asyncDispose]();
  await server.close();
});

const over = (key: KeyName): SyncOperations => groupCalls('sync', new Transport({ baseUrl: server.url, key: server.keys.get(key)! }));
const ask = (key: KeyName, path: string, body: unknown) =>
  server.call('POST', `/api/sync/${path}`, { body, headers: { 'x-api-key': server.keys.get(key)! } });
async function save(content: string, namespace = 'team'): Promise<string> {
  return (await mine.memories.save({ content, namespace })).ids[0]!;
}

describe('a sync over HTTP', () => {
  it('sends batches that fit into a request, and reports what never fits', async () => {
    for (let nth = 0; nth < 30; nth += 1) await save(`fact ${nth}: ${'with words '.repeat(100)}`);
    const huge = await save('much too long '.repeat(2000));
    expect(await send(mine.memories.sync, over('all'), 'team')).toMatchObject({ new: 30, tooLarge: [huge] });
    expect((await server.app.memories.list({ namespace: 'team', limit: 1 })).total).toBe(30);
    expect(await planOf(mine.memories.sync, over('all'), 'team')).toEqual([`new ${huge}`]);
    await server.app.memories.save({ content: 'from the team', namespace: 'team' });
    expect(await send(over('all'), mine.memories.sync, 'team')).toMatchObject({ new: 1 });
  });

  it('lets a read-only key pull, and refuses its push before anything is written', async () => {
    await server.app.memories.save({ content: 'from the team', namespace: 'team' });
    expect(await send(over('reader'), mine.memories.sync, 'team')).toMatchObject({ new: 1 });
    await save('mine');
    await expect(send(mine.memories.sync, over('reader'), 'team')).rejects.toMatchObject({ code: 'forbidden' });
    expect((await server.app.memories.list({ namespace: 'team' })).total).toBe(1);
  });

  it('keeps a bound key to its namespace, also if an id is known elsewhere', async () => {
    const [own, other] = [await save('for the team'), await save('for me alone', 'private')];
    expect(await send(mine.memories.sync, over('bound'), 'team')).toMatchObject({ new: 1 });
    await expect(send(mine.memories.sync, over('bound'), 'private')).rejects.toMatchObject({ code: 'forbidden' });
    await send(mine.memories.sync, over('all'), 'private');
    // As if it had always been of the team: what is elsewhere is not touched.
    await mine.memories.update(other, { namespace: 'team', content: 'planted' });
    expect(await send(mine.memories.sync, over('bound'), 'team')).toMatchObject({ new: 0, changed: 0 });
    await forgetIds(mine, [other]);
    await ask('bound', 'apply', { namespace: 'team', forgotten: [{ id: other, at: 2e14 }] });
    expect(await server.app.memories.get(other)).toMatchObject({ namespace: 'private', content: 'for me alone' });
    expect(await server.app.memories.get(own)).toMatchObject({ namespace: 'team' });
    const { body } = await ask('bound', 'stamps', { namespace: 'team', ids: [own, other] });
    expect((body as unknown as { stamps: { id: string }[] }).stamps.map(({ id }) => id)).toEqual([own]);
  });

  it('is in the audit log: caller, direction, scope and counts, and refusals', async () => {
    await using beside = await openSide();
    await save('one for the audit');
    await save('two for the audit');
    await send(mine.memories.sync, over('bound'), 'team');
    await send(over('reader'), beside.memories.sync, 'team');
    await expect(over('reader').apply({ namespace: 'team' })).rejects.toMatchObject({ code: 'forbidden' });
    const read = async (): Promise<string[]> => (await readFile(join(server.folder, 'audit', 'audit.jsonl'), 'utf8')).trimEnd().split('\n');
    await expect.poll(async () => (await read()).at(-1)).toContain('forbidden');
    const lines = (await read()).map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (operation: string) => lines.filter((line) => line['operation'] === operation);
    expect(of('sync.apply')[0]).toMatchObject({
      key: 'bound',
      action: 'import',
      source: 'cli',
      namespaces: ['team'],
      count: 2,
      result: 'ok',
    });
    expect(of('sync.entries')[0]).toMatchObject({ key: 'reader', action: 'export', namespaces: ['team'], count: 2, result: 'ok' });
    expect(of('sync.apply').at(-1)).toMatchObject({ key: 'reader', result: 'forbidden' });
    expect(JSON.stringify(lines)).not.toContain('for the audit');
  });

  it('rejects buckets without their number, and unusable vectors', async () => {
    const entry = {
      id: '00000000-0000-7000-8000-000000000001',
      container: 'team',
      tags: [],
      priority: 'normal',
      importance: 0.5,
      source: 'api',
    };
    const times = { createdAt: 1, updatedAt: 1 };
    expect((await ask('all', 'stamps', { namespace: 'team', of: [0] })).status).toBe(400);
    const vectors = { embedder: 'builtin/hash/384/1', first: 'AAAA', further: [] };
    expect((await ask('all', 'apply', { namespace: 'team', entries: [{ ...entry, ...times, content: 'a', vectors }] })).status).toBe(200);
    expect((await server.app.memories.search({ query: 'a', namespace: 'team' })).results).toHaveLength(1);
  });
});
