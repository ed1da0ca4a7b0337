import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCliInProcess } from '../helpers/cli-in-process.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

type Line = Readonly<Record<string, unknown>>;

async function linesIn(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const KEYS = [
  { name: 'laptop', access: 'full' },
  { name: 'guest', access: 'read', namespace: 'ours' },
] as const;

describe('the audit log of a server', () => {
  it('records caller, address and action over HTTP and MCP, and never the texts', async () => {
    const server: TestServer = await startTestServer({ keys: KEYS, audit: { enabled: true } });
    const file = join(server.folder, 'audit', 'audit.jsonl');
    const [laptop, guest] = KEYS.map(({ name }) => server.keys.get(name)!);
    const as = (key: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      server.call(method, path, { ...(body !== undefined && { body }), headers: { 'x-api-key': key, ...more } });
    const saved = await as(laptop!, 'POST', '/api/save', { content: 'the sauceword', namespace: 'ours' }, { 'x-request-id': 'req-1' });
    const id = saved.body.ids[0]!;
    await as(guest!, 'POST', '/api/recall', { query: 'sauceword' });
    await as(guest!, 'DELETE', `/api/${id}`);
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'memory_get', arguments: { id } } };
    await as(laptop!, 'POST', '/mcp', tool, { accept: 'application/json, text/event-stream' });
    await as('wrong-sauceword', 'GET', '/api/list');
    await server.call('GET', '/api/list');
    await as(laptop!, 'GET', '/api/export');
    const { body: health } = await as(laptop!, 'GET', '/api/health');
    expect(health.degraded.filter((reason: string) => reason.includes('audit'))).toEqual([]);
    await expect.poll(async () => (await linesIn(file)).length).toBe(8);
    // A tool of MCP may ask for several things at once.
    const lines = (await linesIn(file)).filter(({ operation }) => operation !== 'relations.list');
    const remote = '127.0.0.1';
    expect(lines).toMatchObject([
      {
        key: 'laptop',
        access: 'full',
        remote,
        requestId: 'req-1',
        action: 'write',
        operation: 'save',
        namespaces: ['ours'],
        ids: [id],
        result: 'ok',
      },
      { key: 'guest', access: 'read', bound: 'ours', action: 'read', operation: 'recall', ids: [id], count: 1, result: 'ok' },
      { key: 'guest', action: 'delete', operation: 'forget', ids: [id], result: 'forbidden' },
      { key: 'laptop', source: 'mcp', action: 'read', operation: 'get', ids: [id], result: 'ok' },
      { key: 'unknown', remote, action: 'refuse', operation: 'authenticate', result: 'unauthorized' },
      { key: 'none', remote, action: 'refuse', operation: 'authenticate', result: 'unauthorized' },
      { key: 'laptop', action: 'export', operation: 'export', count: 1, result: 'ok' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/sauceword|lore_/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await server.close();
  });

  it('records for project files the client, and counts their entries', async () => {
    await using server = await startTestServer({ audit: { enabled: true } });
    const file = join(server.folder, 'audit', 'audit.jsonl');
    const place = { kind: 'index', root: 'owner/repo' };
    const files = [{ path: 'a.ts', hash: 'h', passages: [{ content: 'one' }, { content: 'two' }] }];
    const headers = { 'x-lore-source': 'cli' };
    await server.call('POST', '/api/sources', { body: { ...place, files }, headers });
    await server.call('DELETE', '/api/sources', { body: { ...place, paths: ['a.ts'] }, headers });
    await expect.poll(async () => (await linesIn(file).catch(() => [])).length).toBe(2);
    expect(await linesIn(file)).toMatchObject([
      { operation: 'sources.replace', source: 'cli', count: 2 },
      { operation: 'sources.remove', source: 'cli', count: 2 },
    ]);
  });

  it('that cannot be written blocks nothing, and health reports it', async () => {
    await using server = await startTestServer({ audit: { enabled: true } });
    await writeFile(join(server.folder, 'audit'), 'in the way');
    expect((await server.call('POST', '/api/save', { body: { content: 'all the same' } })).status).toBe(200);
    await expect
      .poll(async () => (await server.call('GET', '/api/health')).body.degraded)
      .toContainEqual(expect.stringContaining('audit log cannot be written'));
  });

  it('is off by default', async () => {
    await using server = await startTestServer();
    await server.call('GET', '/api/list');
    await expect(stat(join(server.folder, 'audit'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the audit log of the command line', () => {
  it('records commands that opened the store themselves', async () => {
    await using cli = await openCliInProcess();
    const folder = join(cli.cwd, 'audit');
    const env = { SERVICE_AUDIT_ENABLED: 'true', SERVICE_AUDIT_PATH: folder };
    expect((await cli.run(['save', 'the sauceword', '--namespace', 'ours'], { env })).code).toBe(0);
    expect((await cli.run(['recall', 'sauceword', '--namespace', 'ours'], { env })).code).toBe(0);
    const lines = await linesIn(join(folder, 'audit.jsonl'));
    expect(lines.find(({ operation }) => operation === 'save')).toMatchObject({
      key: 'local',
      source: 'cli',
      namespaces: ['ours'],
      result: 'ok',
    });
    expect(lines.find(({ operation }) => operation === 'recall')).toMatchObject({ key: 'local', action: 'read', count: 1 });
    expect(JSON.stringify(lines)).not.toContain('sauceword');
  });

  it('records changes of keys and restores of stores', async () => {
    await using cli = await openCliInProcess();
    const folder = join(cli.cwd, 'audit');
    const env = { SERVICE_AUDIT_ENABLED: 'true', SERVICE_AUDIT_PATH: folder };
    const run = async (...args: string[]) => await cli.run(args, { env });
    const { stdout: key } = await run('auth', 'generate-key', '--name', 'guest', '--read-only', '--namespace', 'ours');
    await run('auth', 'generate-key', '--name', 'guest');
    await run('auth', 'revoke', key.trim());
    await run('auth', 'revoke', 'guest');
    await run('init', '--key', '--yes');
    await run('save', 'sauceword');
    const { name } = (await run('backup', 'now', '--json')).json<{ name: string }>();
    await run('backup', 'restore', name, '--yes');
    await run('backup', 'restore', '2020-01-01T00-00-00.000Z', '--yes');
    await run('doctor', '--repair');
    const lines = await linesIn(join(folder, 'audit.jsonl'));
    const deeds = lines.filter(({ operation }) => /^keys|restore$|repair$/.test(String(operation)));
    const granted = { subject: 'guest', granted: 'read', namespaces: ['ours'] };
    expect(deeds).toMatchObject([
      { operation: 'keys.generate', key: 'local', action: 'administer', ...granted, result: 'ok' },
      { operation: 'keys.generate', result: 'invalid_input' },
      { operation: 'keys.revoke', result: 'not_found' },
      { operation: 'keys.revoke', ...granted, result: 'ok' },
      { operation: 'keys.generate', granted: 'full', result: 'ok' },
      { operation: 'backups.restore', subject: name, count: 1, result: 'ok' },
      { operation: 'backups.restore', result: 'not_found' },
      { operation: 'store.repair', key: 'local', result: 'ok' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/lore_|sauceword/);
  });

  it('records the first key, also if the configuration requires one, and the last', async () => {
    await using cli = await openCliInProcess();
    const folder = join(cli.cwd, 'audit');
    const env = { SERVICE_AUDIT_ENABLED: 'true', SERVICE_AUDIT_PATH: folder, SERVICE_SERVER_HOST: '0.0.0.0' };
    expect((await cli.run(['auth', 'generate-key', '--name', 'first'], { env })).code).toBe(0);
    expect((await cli.run(['auth', 'revoke', 'first'], { env })).code).toBe(0);
    expect(await linesIn(join(folder, 'audit.jsonl'))).toMatchObject([{ operation: 'keys.generate' }, { operation: 'keys.revoke' }]);
    const broken = await cli.run(['auth', 'generate-key', '--name', 'second'], { env: { ...env, SERVICE_SERVER_PORT: 'none' } });
    expect(broken).toMatchObject({ code: 0, stderr: expect.stringContaining('warning: the configuration cannot be read') });
  });
});
