import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

const PATIENCE = { timeout: 10_000 };
const FOREIGN = { origin: 'https://elsewhere.example' };

let server: TestServer;
const asking = (key: string | undefined) => (key === undefined ? {} : { 'x-api-key': key });
const ask = (method: string, key: string | undefined, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.call(method, '/api/keys', { headers: { ...asking(key), ...headers }, ...(body !== undefined && { body }) });
afterEach(() => server.close());

describe('the keys of a server', () => {
  const by = (name: string): string => server.keys.get(name)!;
  beforeEach(async () => {
    server = await startTestServer({
      audit: { enabled: true },
      keys: [
        { name: 'owner', access: 'full' },
        { name: 'reader', access: 'read' },
        { name: 'bound', access: 'full', namespace: 'mine' },
      ],
    });
  });

  it('are created, listed and revoked, and a key is shown once', async () => {
    const made = await ask('POST', by('owner'), { name: 'laptop', access: 'read', namespace: 'mine' });
    expect(made.status).toBe(200);
    const { key, id } = made.body as unknown as { key: string; id: string };
    expect(made.body).toMatchObject({ name: 'laptop', access: 'read', namespace: 'mine', key: expect.stringMatching(/^lore_[\w-]{43}$/) });
    expect(await readFile(server.keysFile, 'utf8')).not.toContain(key);
    const listed = await ask('GET', by('owner'));
    expect(listed.body).toMatchObject({ count: 4, yours: 'owner' });
    expect(listed.text).not.toMatch(/sha256|lore_/);
    const allowed = async () => (await server.call('GET', '/api/list', { headers: asking(key) })).status;
    expect(await allowed()).toBe(200);
    expect((await ask('DELETE', by('owner'), { id })).body).toMatchObject({ revoked: { id, name: 'laptop' } });
    expect(await allowed()).toBe(401);
    expect((await ask('DELETE', by('owner'), { id })).status).toBe(404);
  });

  it('have the time of their last use, also after the server was closed', async () => {
    const client = createHttpClient({ baseUrl: server.url, key: by('owner') });
    const before = Date.now();
    await server.call('GET', '/api/list', { headers: asking(by('reader')) });
    const used = async () => Object.fromEntries((await client.keys.list()).map(({ name, lastUsedAt }) => [name, lastUsedAt]));
    await expect.poll(async () => (await used())['owner'], PATIENCE).toBeGreaterThanOrEqual(before);
    expect((await used())['bound']).toBeUndefined();
    await client.close();
    const file = join(dirname(server.keysFile), 'key-uses.json');
    expect(await readFile(file, 'utf8')).not.toContain('lore_');
    // Windows has no such modes and shows every writable file so.
    expect((await stat(file)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('are hidden from keys without full access', async () => {
    for (const name of ['reader', 'bound']) {
      for (const answer of [
        await ask('GET', by(name)),
        await ask('POST', by(name), {}),
        await ask('DELETE', by(name), { id: 'a'.repeat(12) }),
      ])
        expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await ask('GET', undefined)).status).toBe(401);
    expect((await ask('GET', LOCAL_TOKEN)).body.count).toBe(3);
  });

  it('are recorded in the audit log, without the key', async () => {
    const made = await ask('POST', by('owner'), { name: 'phone' });
    await ask('DELETE', by('owner'), { id: (made.body as unknown as { id: string }).id });
    await server.app.close();
    const text = await readFile(join(server.folder, 'audit', 'audit.jsonl'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { operation: string });
    const granted = { key: 'owner', action: 'administer', subject: 'phone', granted: 'full', result: 'ok' };
    expect(lines.filter(({ operation }) => operation.startsWith('keys.'))).toMatchObject([
      { operation: 'keys.generate', ...granted },
      { operation: 'keys.revoke', ...granted },
    ]);
    expect(text).not.toContain((made.body as unknown as { key: string }).key);
  });
});

describe('the first key of an open server', () => {
  it('is created on this machine, closes the server at once, and works', async () => {
    server = await startTestServer();
    const { key } = (await ask('POST', undefined, { name: 'first' }, { origin: server.url })).body as unknown as { key: string };
    expect((await ask('GET', undefined)).status).toBe(401);
    expect((await ask('GET', key)).body).toMatchObject({ count: 1, yours: 'first' });
    expect((await ask('POST', key, { name: 'second' }, FOREIGN)).status).toBe(200);
  });

  it('is refused to pages of other origins and to other machines', async () => {
    server = await startTestServer({ server: { trustedProxies: ['127.0.0.1'] } });
    for (const headers of [FOREIGN, { origin: 'null' }, { 'x-forwarded-for': '192.0.2.1' }]) {
      expect((await ask('POST', undefined, {}, headers)).body.code).toBe('FORBIDDEN');
      expect((await server.call('DELETE', '/API/Keys?id=0123456789ab', { headers })).body.code).toBe('FORBIDDEN');
    }
    expect((await ask('GET', undefined)).body.count).toBe(0);
  });
});
