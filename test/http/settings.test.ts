import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LiveSettings } from '../../src/cli/settings/live-settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let settings: LiveSettings;
let server: TestServer;
beforeEach(async () => {
  folder = await temporaryFolder();
  settings = new LiveSettings(
    loadConfig({ cwd: folder.path, env: {}, directories: { data: folder.path, config: folder.path } }),
    () => undefined,
  );
});
afterEach(async () => {
  await server.close();
  await folder[Symbol.asyncDispose]();
});
const change = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  server.call('POST', '/api/settings/change', { body, headers });

it('a setting is changed and reset with full access, and the audit log names it', async () => {
  const keys = [
    { name: 'owner', access: 'full' },
    { name: 'reader', access: 'read' },
    { name: 'bound', access: 'full', namespace: 'mine' },
  ] as const;
  server = await startTestServer({ settings, audit: { enabled: true }, keys });
  const by = (name: string) => ({ 'x-api-key': server.keys.get(name)! });
  const wanted = { key: 'search.limit', value: '20' };
  for (const name of ['reader', 'bound']) expect((await change(wanted, by(name))).body.code).toBe('FORBIDDEN');
  expect((await change(wanted)).status).toBe(401);
  const set = { key: 'search.limit', value: 20, source: 'user file', from: join(folder.path, 'config.json'), change: 'now' };
  expect((await change(wanted, by('owner'))).body).toMatchObject({ success: true, setting: set });
  expect((await change({ key: 'search.limit' }, by('owner'))).body).toMatchObject({ setting: { value: 10, source: 'default' } });
  expect((await change({ key: 'server.port', value: '1' }, by('owner'))).status).toBe(409);
  expect((await change({ key: 'none', value: '1' }, by('owner'))).status).toBe(404);
  expect((await change({ key: 'search.limit', value: 'few' }, by('owner'))).body.error).toContain('a whole number');
  await server.app.close();
  const text = await readFile(join(server.folder, 'audit', 'audit.jsonl'), 'utf8');
  const done = text.split('\n').filter((line) => line.includes('"settings.change"') && line.includes('"ok"'));
  expect(done.map((line) => (JSON.parse(line) as { subject: string }).subject)).toEqual(['search.limit', 'search.limit']);
});

it('pages of other origins cannot change settings of an open server, and nobody can without a user file', async () => {
  server = await startTestServer({ settings });
  expect((await change({ key: 'capture.enabled', value: 'false' }, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await change({ key: 'capture.enabled', value: 'false' }, { origin: server.url })).status).toBe(200);
  await server.close();
  server = await startTestServer();
  expect((await change({ key: 'capture.enabled', value: 'false' })).status).toBe(404);
});
