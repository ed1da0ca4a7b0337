import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { textOf } from '../helpers/mcp.ts';
import { modern, REVISION } from '../helpers/mcp-modern.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../helpers/server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(options?: TestServerOptions): Promise<TestServer> {
  server = await startTestServer(options);
  return server;
}

async function connect(url: string, key?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const init = key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), init));
  return client;
}

const callTool = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('POST /mcp', () => {
  it('serves tools, resources and prompts to the official client, without a session', async () => {
    const { url, app } = await start();
    const client = await connect(`${url}/mcp`);
    expect(client.getServerVersion()).toMatchObject({ name: 'lore', title: 'Lore' });
    expect(client.getInstructions()).toContain('memory_context');
    const saved = await callTool(client, 'memory_save', { content: 'The tea is in the kitchen' });
    const { id } = saved.structuredContent as { id: string };
    expect(await app.memories.get(id)).toMatchObject({ source: 'mcp', namespace: 'test' });
    expect((await callTool(client, 'memory_recall', { query: 'tea' })).structuredContent).toMatchObject({ results: [{ id }] });
    expect((await client.readResource({ uri: `lore://entry/${id}` })).contents[0]).toMatchObject({
      text: expect.stringContaining('kitchen'),
    });
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    await client.close();
  });

  it('takes the namespace of a project from the URL', async () => {
    const { url, app } = await start();
    const client = await connect(`${url}/mcp?namespace=owner%2Frepo`);
    await callTool(client, 'memory_save', { content: 'The tea is in the kitchen' });
    expect((await app.memories.namespaces()).map(({ namespace }) => namespace)).toEqual(['owner/repo']);
    await client.close();
    const { status, body } = await server!.call('POST', '/mcp?namespace=', { body: PING, headers: ACCEPT });
    expect([status, body.error]).toEqual([400, 'namespace must not be empty']);
  });

  it('has no streams to get and no sessions to delete', async () => {
    const lore = await start();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers, body } = await lore.call(method, '/mcp');
      expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST, OPTIONS', 'INVALID_REQUEST']);
    }
    const { status, text } = await lore.call('POST', '/mcp', {
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
      headers: ACCEPT,
    });
    expect([status, text]).toEqual([202, '']);
  });

  it('rejects invalid protocol messages', async () => {
    const lore = await start({ server: { bodyLimitBytes: 2048 } });
    const post = async (body: unknown, headers: Record<string, string> = ACCEPT): Promise<number> =>
      (await lore.call('POST', '/mcp', { body, headers })).status;
    expect(await post(PING)).toBe(200);
    expect(await post('{')).toBe(400);
    expect(await post('[]')).toBe(400);
    expect(await post({ walrus: true })).toBe(400);
    expect(await post(PING, { ...ACCEPT, 'content-type': 'text/plain' })).toBe(415);
    expect(await post(PING, { accept: 'text/html' })).toBe(406);
    expect(await post({ ...PING, params: { text: 'x'.repeat(4096) } })).toBe(413);
  });

  it('requires a key if one is set, and respects its limits', async () => {
    const lore = await start({
      keys: [
        { name: 'all', access: 'full' },
        { name: 'reader', access: 'read' },
        { name: 'bound', access: 'full', namespace: 'mine' },
      ],
    });
    expect((await lore.call('POST', '/mcp', { body: PING, headers: ACCEPT })).status).toBe(401);
    const { url, keys, app } = lore;
    expect(await failureOf(connect(`${url}/mcp`, 'wrong'))).toBeInstanceOf(Error);
    const { entry: foreign } = await app.memories.save({ content: 'The tea of others', namespace: 'theirs' });
    await app.memories.save({ content: 'The tea of all', global: true });

    const reader = await connect(`${url}/mcp`, keys.get('reader'));
    const refused = await callTool(reader, 'memory_save', { content: 'x' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^This key is read-only\. /);
    expect((await callTool(reader, 'memory_search', { query: 'tea' })).structuredContent).toMatchObject({ results: [{}, {}] });

    const bound = await connect(`${url}/mcp`, keys.get('bound'));
    await callTool(bound, 'memory_save', { content: 'The tea of mine' });
    for (const [tool, args] of [
      ['memory_recall', { query: 'tea' }],
      ['memory_recall', { query: 'tea', allProjects: true }],
      ['memory_recall', { allProjects: true }],
      ['memory_search', { query: 'tea' }],
    ] as const)
      expect((await callTool(bound, tool, args)).structuredContent).toMatchObject({ results: [{ content: 'The tea of mine' }] });
    expect((await callTool(bound, 'memory_context', { task: 'the tea' })).structuredContent).toMatchObject({ ids: [expect.any(String)] });
    expect((await callTool(bound, 'memory_health')).structuredContent).toMatchObject({
      namespace: 'mine',
      totalEntries: 1,
      globalEntries: 0,
    });
    expect(textOf(await callTool(bound, 'memory_get', { id: foreign.id }))).toContain('No entry has the id');
    for (const [tool, args] of [
      ['memory_recall', { id: foreign.id }],
      ['memory_forget', { id: foreign.id }],
      ['memory_forget', { id: foreign.id, permanent: true }],
      ['memory_update', { id: foreign.id, content: 'x' }],
      ['memory_save', { content: 'The tea is gone', supersedes: foreign.id }],
    ] as const)
      expect(textOf(await callTool(bound, tool, args))).toContain('No entry has the id');
    expect((await callTool(bound, 'memory_recall', { query: 'tea', namespace: 'theirs' })).isError).toBe(true);
    expect((await bound.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'lore://inbox',
      expect.stringMatching(/^lore:\/\/entry\//),
      'lore://namespace/mine',
    ]);
    await Promise.all([reader.close(), bound.close()]);
  });

  it('is closed to pages of other sites, whatever CORS allows', async () => {
    const lore = await start({ server: { cors: { origins: ['*', 'https://app.example'] } } });
    const from = async (origin: string): Promise<number> =>
      (await lore.call('POST', '/mcp', { body: PING, headers: { ...ACCEPT, origin } })).status;
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:80', 'https://app.example'])
      expect(await from(origin)).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example'])
      expect(await from(origin)).toBe(403);
    // The rest of the API stays open to them, as the specification has it.
    expect((await lore.call('GET', '/api/health', { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });

  it('refuses another name in the Host header', async () => {
    const { port } = await start();
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json', ...ACCEPT };
      const request = httpRequest({ port, method: 'POST', path: '/mcp', headers }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      request.on('error', reject);
      request.end(JSON.stringify(PING));
    });
    expect(status).toBe(403);
  });

  it('counts for the rate limit', async () => {
    const lore = await start({ server: { rateLimit: { enabled: true, requestsPerMinute: 60, burstSize: 2 } } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await lore.call('POST', '/mcp', { body: PING, headers: ACCEPT })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('cancels a call when its client disconnects, and answers the next one', async () => {
    let resolve: (signal: AbortSignal) => void = () => {};
    const called = new Promise<AbortSignal>((done) => (resolve = done));
    const waiting = (real: MemoryOperations): MemoryOperations =>
      Object.assign(Object.create(real) as MemoryOperations, {
        recall: (_request: unknown, { signal }: { signal: AbortSignal }) => {
          resolve(signal);
          return new Promise(() => {});
        },
      });
    const lore = await start({ memories: waiting });
    const gone = new AbortController();
    const body = JSON.stringify({ ...PING, method: 'tools/call', params: { name: 'memory_recall', arguments: { query: 'tea' } } });
    const headers = { ...ACCEPT, 'content-type': 'application/json' };
    const pending = failureOf(fetch(`${lore.url}/mcp`, { method: 'POST', body, headers, signal: gone.signal }));
    const signal = await called;
    gone.abort();
    await pending;
    await (signal.aborted ? undefined : once(signal, 'abort'));
    expect((await lore.call('POST', '/mcp', { body: PING, headers: ACCEPT })).status).toBe(200);
  });

  it('answers many clients at once', async () => {
    const { url } = await start();
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect(`${url}/mcp`)));
    const ids = await Promise.all(
      clients.map(
        async (client, n) => ((await callTool(client, 'memory_save', { content: `Fact ${n}` })).structuredContent as { id: string }).id,
      ),
    );
    expect(new Set(ids).size).toBe(8);
    await Promise.all(clients.map((client) => client.close()));
  });
});

describe('revision 2026-07-28', () => {
  const post = async (lore: TestServer, message: object, headers: Record<string, string>) => {
    const { status, body } = await lore.call('POST', '/mcp', {
      body: message,
      headers: { ...ACCEPT, 'mcp-protocol-version': REVISION, ...headers },
    });
    return { status, body: body as unknown as { result?: Record<string, unknown>; error?: { code: number; message: string } } };
  };

  it('serves the official client without a session', async () => {
    const { url, app } = await start();
    const client = new ModernClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(new ModernTransport(new URL(`${url}/mcp`)));
    expect([client.getNegotiatedProtocolVersion(), client.getServerVersion()?.name]).toEqual([REVISION, 'lore']);
    expect(client.getInstructions()).toContain('memory_context');
    expect((await client.listTools()).tools).toHaveLength(6);
    const saved = await client.callTool({ name: 'memory_save', arguments: { content: 'The tea is in the kitchen' } });
    const { id } = saved.structuredContent as { id: string };
    expect(await app.memories.get(id)).toMatchObject({ source: 'mcp', namespace: 'test' });
    expect((await client.readResource({ uri: `lore://entry/${id}` })).contents[0]).toMatchObject({
      text: expect.stringContaining('kitchen'),
    });
    await client.close();
  });

  it('answers a client that probes first, and one that speaks both', async () => {
    const { url } = await start();
    const client = new ModernClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernTransport(new URL(`${url}/mcp`)));
    expect(client.getNegotiatedProtocolVersion()).toBe(REVISION);
    await client.close();
  });

  it('states the type and cache time of every result', async () => {
    const lore = await start();
    const discovered = await post(lore, modern(1, 'server/discover'), { 'mcp-method': 'server/discover' });
    expect(discovered.body.result).toMatchObject({
      supportedVersions: [REVISION],
      resultType: 'complete',
      ttlMs: 3_600_000,
      cacheScope: 'public',
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    });
    const lists = ['tools/list', 'prompts/list', 'resources/templates/list'] as const;
    for (const method of lists) {
      const { body } = await post(lore, modern(1, method), { 'mcp-method': method });
      expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
    }
    // Entries come and go, and are of one caller.
    const resources = await post(lore, modern(1, 'resources/list'), { 'mcp-method': 'resources/list' });
    expect(resources.body.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const call = modern(1, 'tools/call', { name: 'memory_recall', arguments: {} });
    const { body } = await post(lore, call, { 'mcp-method': 'tools/call', 'mcp-name': 'memory_recall' });
    expect(body.result).toMatchObject({ resultType: 'complete', structuredContent: { total: 0 } });
  });

  it('rejects headers that contradict the message', async () => {
    const lore = await start();
    const call = modern(1, 'tools/call', { name: 'memory_recall', arguments: {} });
    for (const headers of [
      { 'mcp-method': 'tools/list' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'memory_save' },
      { 'mcp-method': 'tools/call' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'memory_recall', 'mcp-protocol-version': '2025-06-18' },
    ]) {
      const { status, body } = await post(lore, call, headers);
      expect([status, body.error?.code]).toEqual([400, -32_020]);
    }
    const unknown = await post(lore, modern(1, 'no/such'), { 'mcp-method': 'no/such' });
    expect([unknown.status, unknown.body.error?.code]).toEqual([404, -32_601]);
  });

  it('tells listeners that nothing will follow, and keeps no stream open', async () => {
    const lore = await start();
    const { status, text } = await lore.call('POST', '/mcp', {
      body: modern(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
      headers: { ...ACCEPT, 'mcp-protocol-version': REVISION, 'mcp-method': 'subscriptions/listen' },
    });
    expect(status).toBe(200);
    expect(text).toContain('"method":"notifications/subscriptions/acknowledged"');
    expect(text).toContain('"resultType":"complete"');
  });

  it('shows a key of one namespace only that namespace', async () => {
    const lore = await start({ keys: [{ name: 'bound', access: 'full', namespace: 'mine' }] });
    await lore.app.memories.save({ content: 'The tea of others', namespace: 'theirs' });
    const call = modern(1, 'tools/call', { name: 'memory_recall', arguments: { query: 'tea', allProjects: true } });
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'memory_recall' };
    expect((await post(lore, call, headers)).status).toBe(401);
    const { body } = await post(lore, call, { ...headers, 'x-api-key': lore.keys.get('bound')! });
    expect(body.result).toMatchObject({ structuredContent: { results: [] } });
  });
});

describe('the conformance suite of the protocol', () => {
  const suite = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
  const onNode20 = fileURLToPath(new URL('../helpers/conformance-on-node-20.mjs', import.meta.url));
  // More of them: mcp-conformance.drill.ts.
  it.each([
    ['2025-11-25', 'server-initialize'],
    ['2026-07-28', 'caching'],
    ['2026-07-28', 'http-header-validation'],
  ])('of %s passes: %s', async (revision, scenario) => {
    const lore = await start();
    await lore.save('The tea is in the kitchen');
    await using folder = await temporaryFolder();
    const asked = ['server', '--url', `${lore.url}/mcp`, '--spec-version', revision, '--scenario', scenario];
    const args = ['--import', onNode20, suite, ...asked];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path });
    expect(stdout).toMatch(/\b0 failed\b/);
  });
});
