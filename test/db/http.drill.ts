import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE_KEY, startLanceService, type LanceService } from '../helpers/lancedb-service.ts';
import { startTestServer, TEST_NAMESPACE, type Answer, type TestServer } from '../helpers/server.ts';

let service: LanceService;
let folder: string;
let lore: TestServer;

function start(): Promise<TestServer> {
  const options = { apiKey: SERVICE_KEY, hostOverride: service.url };
  return startTestServer({ storage: { path: 'db://team', localPath: join(folder, 'local'), options, timeoutMs: 10_000 } });
}

beforeAll(async () => {
  service = await startLanceService();
  folder = await mkdtemp(join(tmpdir(), 'lore-db-http-'));
  lore = await start();
});

afterAll(async () => {
  await lore.close();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function search(query: string, mode: string): Promise<string> {
  const { status, text } = await lore.call('POST', '/api/search', { body: { query, searchMode: mode, limit: 1 } });
  expect(status).toBe(200);
  return text;
}

async function inTables(content: string): Promise<void> {
  const contents = async (): Promise<unknown[]> => (await service.rows('entries')).map((row) => row['content']);
  await expect.poll(contents, { timeout: 15_000 }).toContain(content);
}

describe('a server on a store in LanceDB Cloud', () => {
  it.each(['vector', 'keyword', 'hybrid'])('finds saved entries in mode %s, before and after they are flushed', async (mode) => {
    const content = `The ${mode} harbour is deep`;
    await lore.save(content);
    const query = `deep ${mode} harbour`;
    expect(await search(query, mode)).toContain(content);
    await inTables(content);
    expect(await search(query, mode)).toContain(content);
  });

  it('keeps relations, history, responses and use counts in auxiliary tables, also after a restart', async () => {
    const [older, newer] = [await lore.save('The gate opens at nine'), await lore.save('The gate opens at ten')];
    await lore.call('POST', '/api/relations', { body: { sourceId: newer, targetId: older, type: 'supersedes' } });
    await lore.call('PATCH', `/api/${newer}`, { body: { content: 'The gate opens at eleven' } });
    const sent = { headers: { 'idempotency-key': 'once' }, body: { content: 'Said twice' } };
    const first = await lore.call('POST', '/api/save', sent);
    await inTables('The gate opens at eleven');
    await lore.app.memories.recall({ query: 'gate eleven', limit: 1 }, { source: 'api' });
    await lore.close();
    lore = await start();
    const related = await lore.call('GET', `/api/${older}/related`);
    expect(related.text).toContain(newer);
    expect((await lore.call('GET', `/api/${newer}/history`)).text).toContain('The gate opens at ten');
    const again = await lore.call('POST', '/api/save', sent);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await lore.call('GET', '/api/list?limit=100')).text.split('Said twice')).toHaveLength(2);
  });

  it('deletes permanently', async () => {
    const id = await lore.save('The milk is sour');
    await inTables('The milk is sour');
    await lore.call('DELETE', `/api/${id}`);
    expect((await lore.call('GET', `/api/${id}`)).status).toBe(404);
    await expect.poll(async () => (await service.rows('entries')).map((row) => row['id']), { timeout: 15_000 }).not.toContain(id);
    await expect.poll(async () => (await service.rows('tombstones')).map((row) => row['key']), { timeout: 15_000 }).toEqual([id]);
    await lore.close();
    lore = await start();
    const { text } = await lore.call('POST', '/api/sync/stamps', { body: { namespace: TEST_NAMESPACE, ids: [id], tombstones: true } });
    expect(JSON.parse(text)).toMatchObject({ stamps: [{ id, state: 'removed' }] });
  });

  it('acknowledges saves while the service is down, and flushes them later', async () => {
    service.isBusy = true;
    const answer: Answer = await lore.call('POST', '/api/save', { body: { content: 'The bridge is closed' } });
    expect(answer.status).toBe(200);
    expect((await lore.call('POST', '/api/search', { body: { query: 'harbour' } })).status).toBe(503);
    service.isBusy = false;
    await inTables('The bridge is closed');
  });

  it('reports its health, figures and tables', async () => {
    expect((await lore.call('GET', '/healthz')).status).toBe(200);
    expect((await lore.call('GET', '/api/health')).status).toBe(200);
    expect((await lore.call('GET', '/api/stats')).status).toBe(200);
    expect((await lore.call('POST', '/api/diagnose', { body: {} })).status).toBe(200);
    expect((await lore.call('POST', '/api/verify', { body: {} })).status).toBe(200);
  });

  it('makes no backups without a location, and says what to set', async () => {
    const { status, text } = await lore.call('POST', '/api/backups', { body: {} });
    expect(status).toBe(409);
    expect(text).toContain('The store is in LanceDB Cloud: no location for its backups is set.');
  });

  it('never shows its key in the log or a response', async () => {
    const settings = await lore.call('GET', '/api/settings');
    expect(JSON.stringify([lore.logged, settings.text])).not.toContain(SERVICE_KEY);
  });
});
