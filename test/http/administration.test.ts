import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RequestLog } from '../../src/http/middleware/request-log.ts';
import type { Administration, Integration, Setting, SettingsReport } from '../../src/memory/operations/administration.ts';
import { answerSchema } from '../../src/operations/operation.ts';
import { administration as operations } from '../../src/operations/administration.ts';
import { settings as definitions } from '../../src/operations/settings.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

const PORT: Setting = {
  key: 'server.port',
  value: 7007,
  source: 'default',
  secret: false,
  description: 'TCP port.',
  change: 'restart',
  allowed: 'a port',
};
const CURSOR: Integration = {
  target: 'cursor',
  title: 'Cursor',
  scope: 'user',
  state: 'outdated',
  found: true,
  files: ['/home/ana/.cursor/mcp.json'],
  findings: ['/home/ana/.cursor/mcp.json: the MCP server is from another installation or version of Lore.'],
  command: 'lore setup --target cursor',
};
const administration: Administration & { readonly settings: () => SettingsReport } = {
  settings: () => ({ settings: [PORT], files: ['/home/ana/lore.config.json'], warnings: ['One warning.'] }),
  integrations: () => Promise.resolve({ program: 'lore', integrations: [CURSOR] }),
};
const IntegrationsAnswer = answerSchema(operations.integrations);
const SettingsAnswer = answerSchema(definitions.list);
const PATHS = ['/api/settings', '/api/integrations', '/api/requests'] as const;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    administration,
    keys: [
      { name: 'owner', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'mine' },
    ],
  });
});
afterAll(() => server.close());

const by = (key: string) => ({ headers: { 'x-api-key': server.keys.get(key)! } });

describe('the administration of a server over HTTP', () => {
  it('lists the settings, the access of keys, and the clients, in either form', async () => {
    const access = { keyRequired: true, host: '127.0.0.1', everyOrigin: true };
    const settings = { count: 1, settings: [PORT], files: ['/home/ana/lore.config.json'], warnings: ['One warning.'], access };
    const integrations = { count: 1, program: 'lore', integrations: [CURSOR] };
    for (const form of ['reference', 'guide']) {
      const { body } = await server.call('GET', `/api/settings?form=${form}`, by('owner'));
      expect(SettingsAnswer.parse(body)).toEqual({ success: true, ...settings });
      const clients = await server.call('GET', `/api/integrations?form=${form}`, by('owner'));
      expect(IntegrationsAnswer.parse(clients.body)).toEqual({ success: true, ...integrations });
    }
  });

  it('is refused to keys without full access', async () => {
    for (const path of PATHS) {
      for (const key of ['reader', 'bound']) {
        const { status, body, text } = await server.call('GET', path, by(key));
        expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
        expect(text).not.toContain('/home/ana');
      }
      expect((await server.call('GET', path)).status).toBe(401);
      expect((await server.call('GET', path, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    }
  });

  it('accepts the token of the lock file', async () => {
    for (const path of PATHS) {
      expect((await server.call('GET', path, { headers: { 'x-api-key': LOCAL_TOKEN } })).status).toBe(200);
    }
  });

  it('can only be read', async () => {
    for (const path of PATHS) expect((await server.call('POST', path, { ...by('owner'), body: {} })).status).toBe(405);
  });

  it('is missing if the server was started without it', async () => {
    await using other = await startTestServer();
    for (const path of PATHS.filter((each) => each !== '/api/requests')) {
      const { status, body } = await other.call('GET', path);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('reports that no key is required if none is set', async () => {
    await using other = await startTestServer({ administration, server: { cors: { origins: ['http://localhost:5173'] } } });
    const { access } = SettingsAnswer.parse((await other.call('GET', '/api/settings')).body);
    expect(access).toEqual({ keyRequired: false, host: '127.0.0.1', everyOrigin: false });
  });
});

describe('the requests of the last hour', () => {
  it('are listed newest first, as in the access log, without queries and polling by the page', async () => {
    await server.call('GET', '/api/list?namespace=private-words', by('reader'));
    await server.call('GET', '/api/health', by('reader'));
    await server.call('GET', '/api/none/of/these', by('owner'));
    const { body, text } = await server.call('GET', '/api/requests', by('owner'));
    const [newest, before] = (body as unknown as { requests: Record<string, unknown>[] }).requests;
    expect(newest).toMatchObject({ method: 'GET', path: '/api/none/of/these', status: 404, key: 'owner' });
    expect(before).toMatchObject({ method: 'GET', path: '/api/list', status: 200, key: 'reader', ms: expect.any(Number) });
    expect(Date.parse(String(newest!['at']))).not.toBeNaN();
    expect(text).not.toContain('private-words');
    expect(text).not.toContain('/api/health');
  });

  it('are limited to the last 500 of an hour', () => {
    let now = 0;
    const log = new RequestLog(() => now);
    const request = { requestId: 'r', method: 'GET', path: '/api/list', status: 200, ms: 1, bytes: 10 };
    for (let nth = 0; nth < 1200; nth += 1) log.note({ ...request, ms: nth });
    expect(log.newest().map(({ ms }) => ms)).toEqual(Array.from({ length: 500 }, (_, nth) => 1199 - nth));
    now = 3_600_001;
    log.note({ ...request, ms: 7 });
    expect(log.newest().map(({ ms }) => ms)).toEqual([7]);
  });
});
