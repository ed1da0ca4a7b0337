import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/client/http-client.ts';
import { guideSchemas, referenceSchemas } from '../helpers/answers.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({
    keys: [
      { name: 'owner', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'mine' },
    ],
  });
  await server.app.memories.save({ content: 'The harbour is deep', namespace: 'mine' });
});
afterEach(() => server.close());

const by = (key: string, body?: unknown) => ({ headers: { 'x-api-key': server.keys.get(key)! }, ...(body === undefined ? {} : { body }) });
const folder = (): string => join(server.app.storePath, '..', 'backups', 'store');

describe('backups over HTTP', () => {
  it('are made, listed and verified, in either form', async () => {
    const made = await server.call('POST', '/api/backups', by('owner', {}));
    expect(made.status).toBe(200);
    const { backup } = made.body;
    expect(backup).toMatchObject({ entries: 1, kind: 'manual', compressed: false });
    const { backup: second } = (await server.call('POST', '/api/backups?form=guide', by('owner', {}))).body;
    const listed = (await server.call('GET', '/api/backups', by('owner'))).body;
    expect(listed).toEqual({ success: true, count: 2, backups: [second, backup] });
    expect((await server.call('GET', '/api/backups?form=guide', by('owner'))).body).toEqual(listed);
    const check = { success: true, name: backup.name, whole: true, problems: [], entries: 1 };
    expect((await server.call('POST', '/api/backups/verify', by('owner', { name: backup.name }))).body).toEqual(check);
    expect((await server.call('POST', '/api/backups/verify?form=guide', by('owner', { name: backup.name }))).body).toEqual(check);
    await writeFile(join(folder(), backup.name, 'head.json'), '');
    const damaged = await server.call('POST', '/api/backups/verify', by('owner', { name: backup.name }));
    expect(damaged.body).toMatchObject({ whole: false, problems: ['head.json is damaged'] });
  });

  it('are shown in health, the latest one', async () => {
    const { backup } = (await server.call('POST', '/api/backups', by('owner', {}))).body;
    const lastBackup = { name: backup.name, createdAt: backup.createdAt };
    const health = referenceSchemas.health.parse((await server.call('GET', '/api/health', by('owner'))).body);
    expect(health.lastBackup).toEqual(lastBackup);
    expect(guideSchemas.health.parse((await server.call('GET', '/api/health?form=guide', by('owner'))).body).lastBackup).toEqual(
      lastBackup,
    );
  });

  it('are refused to keys without full access', async () => {
    for (const key of ['reader', 'bound']) {
      for (const answer of [
        await server.call('GET', '/api/backups', by(key)),
        await server.call('POST', '/api/backups', by(key, {})),
        await server.call('POST', '/api/backups/verify', by(key, { name: '2026-01-01T00-00-00.000Z' })),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
      }
    }
    expect((await server.call('GET', '/api/backups')).status).toBe(401);
  });

  it('cannot be addressed by a path', async () => {
    for (const name of ['../store', '..', '/etc/passwd', '2026-01-01T00-00-00.000Z/..', '2026-01-01T00-00-00.000Z\0', '', 5]) {
      const { status, body } = await server.call('POST', '/api/backups/verify', by('owner', { name }));
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    }
    const unknown = await server.call('POST', '/api/backups/verify', by('owner', { name: '2026-01-01T00-00-00.000Z' }));
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('are the same for a client and for the service of the server', async () => {
    const client = createHttpClient({ baseUrl: server.url, key: server.keys.get('owner')! });
    const { backups } = server.app.memories;
    const made = await client.backups.create();
    expect(await client.backups.list()).toEqual(await backups.list());
    expect((await client.backups.list())[0]).toEqual(made);
    expect(await client.backups.verify({ name: made.name })).toEqual(await backups.verify({ name: made.name }));
    expect((await client.health()).lastBackup).toEqual((await server.app.memories.health()).lastBackup);
    await expect(client.backups.verify({ name: '2026-01-01T00-00-00.000Z' })).rejects.toMatchObject({ code: 'not_found' });
    await client.close();
  });
});

describe('a full export over HTTP', () => {
  it('contains the auxiliary data, and is compressed on request', async () => {
    const { memories } = server.app;
    const [{ ids: a }, { ids: b }] = [await memories.save({ content: 'crane one' }), await memories.save({ content: 'crane two' })];
    const relation = await memories.relations.relate({ sourceId: a[0]!, targetId: b[0]!, type: 'references' });
    await memories.update(a[0]!, { content: 'crane three' });
    const lines = (text: string): unknown[] =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line) as unknown);
    const plain = await server.call('GET', '/api/export?all=true', by('owner'));
    expect(lines(plain.text)).toContainEqual({ relation });
    expect(lines(plain.text).filter((line) => 'version' in (line as object))).toHaveLength(1);
    expect(lines((await server.call('GET', '/api/export', by('owner'))).text).every((line) => 'content' in (line as object))).toBe(true);

    const response = await fetch(`${server.url}/api/export?all=true&gzip=true`, { headers: { 'x-api-key': server.keys.get('owner')! } });
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.get('content-disposition')).toMatch(/\.jsonl\.gz"$/);
    expect(lines(gunzipSync(Buffer.from(await response.arrayBuffer())).toString())).toEqual(lines(plain.text));

    const client = createHttpClient({ baseUrl: server.url, key: server.keys.get('owner')! });
    const read: unknown[] = [];
    for await (const line of client.export({ all: true })) read.push(line);
    expect(read.slice(1)).toEqual(lines(plain.text));
    await client.close();
  });
});
