import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrationsAnswer, SettingsAnswer } from '../../src/http/routes/administration.ts';
import type { Administration, Integration, Setting } from '../../src/memory/operations/administration.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

const PORT: Setting = { key: 'server.port', value: 7007, source: 'default', secret: false, description: 'TCP port.' };
const CURSOR: Integration = {
  target: 'cursor',
  title: 'Cursor',
  scope: 'user',
  state: 'outdated',
  found: true,
  files: ['/home/ana/.cursor/mcp.json'],
  findings: ['/home/ana/.cursor/mcp.json: the MCP server is not as this installation would write it.'],
  command: 'lore setup --target cursor',
};
const administration: Administration = {
  program: 'lore',
  settings: () => ({ settings: [PORT], files: ['/home/ana/lore.config.json'], warnings: ['One warning.'] }),
  integrations: () => Promise.resolve([CURSOR]),
};
const PATHS = ['/api/settings', '/api/integrations'] as const;

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

describe('the surroundings of a server over HTTP', () => {
  it('are the settings with who may come in, and the clients, whatever form is asked for', async () => {
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

  it('are refused to keys that may not read and change everything', async () => {
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

  it('are shown to the token of the lock file', async () => {
    for (const path of PATHS) {
      expect((await server.call('GET', path, { headers: { 'x-api-key': LOCAL_TOKEN } })).status).toBe(200);
    }
  });

  it('can only be read', async () => {
    for (const path of PATHS) expect((await server.call('POST', path, { ...by('owner'), body: {} })).status).toBe(405);
  });

  it('are not there where whoever started the server gave none', async () => {
    await using other = await startTestServer();
    for (const path of PATHS) {
      const { status, body } = await other.call('GET', path);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('say that nobody needs a key where none is set', async () => {
    await using other = await startTestServer({ administration, server: { cors: { origins: ['http://localhost:5173'] } } });
    const { access } = SettingsAnswer.parse((await other.call('GET', '/api/settings')).body);
    expect(access).toEqual({ keyRequired: false, host: '127.0.0.1', everyOrigin: false });
  });
});
