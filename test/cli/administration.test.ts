import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Integration, Setting } from '../../src/memory/operations/administration.ts';
import type { Served } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

const SECRET = 'sk-not-to-be-told';

let cli: CliInProcess;
let server: Served;
beforeAll(async () => {
  cli = await openCliInProcess();
  server = await cli.serve([], { env: { SERVICE_SEARCH_LIMIT: '20', SERVICE_EMBEDDINGS_API_KEY: SECRET } });
});
afterAll(() => cli[Symbol.asyncDispose]());

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(`${server.url}${path}`)).json()) as T;
}
const clients = async (): Promise<readonly Integration[]> =>
  (await get<{ integrations: readonly Integration[] }>('/api/integrations')).integrations;

describe('the server information of lore serve', () => {
  it('shows the configuration it was started with, without secrets', async () => {
    const answer = await get<{ settings: readonly Setting[]; access: object }>('/api/settings');
    const of = (key: string): Setting | undefined => answer.settings.find((one) => one.key === key);
    expect(of('search.limit')).toMatchObject({ value: 20, source: 'environment', from: 'SERVICE_SEARCH_LIMIT' });
    expect(of('server.port')).toMatchObject({ value: 0, source: 'flag' });
    expect(of('embeddings.apiKey')).toMatchObject({ value: 'set', source: 'environment' });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(answer.access).toEqual({ keyRequired: false, host: '127.0.0.1', everyOrigin: true });
  });

  it('shows a setting changed at run time as written to the file, and the log level changes at once', async () => {
    let logged = '';
    server.child.stderr.on('data', (chunk) => (logged += String(chunk)));
    const named = (id: string) => fetch(`${server.url}/api/list`, { headers: { 'x-request-id': id } });
    const change = async (key: string, value: string) =>
      (
        await fetch(`${server.url}/api/settings/change`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ key, value }),
        })
      ).status;
    expect(await change('search.limit', '30')).toBe(409);
    expect(await change('log.level', 'silent')).toBe(200);
    await named('quiet');
    const { settings } = await get<{ settings: readonly Setting[] }>('/api/settings');
    expect(settings.find(({ key }) => key === 'log.level')).toMatchObject({ value: 'silent', source: 'user file' });
    const shown = (await cli.run(['config', '--json'])).json() as { values: readonly { key: string }[] };
    expect(shown.values.find(({ key }) => key === 'log.level')).toMatchObject({ value: 'silent', source: 'user file' });
    expect(await change('log.level', 'info')).toBe(200);
    await named('heard');
    await expect.poll(() => logged, { timeout: 10_000 }).toContain('"heard"');
    expect(logged).not.toContain('"quiet"');
  });

  it('shows the current state of the clients', async () => {
    const cursor = async (): Promise<Integration | undefined> =>
      (await clients()).find(({ target, scope }) => target === 'cursor' && scope === 'user');
    expect(await cursor()).toMatchObject({
      title: 'Cursor',
      state: 'absent',
      found: false,
      command: expect.stringMatching(/run\.js setup --target cursor$/) as string,
    });
    expect((await cli.run(['setup', '--target', 'cursor'])).code).toBe(0);
    const there = await cursor();
    expect(there).toMatchObject({ state: 'installed', found: true, findings: [] });
    expect(there?.files).toContain(join(cli.home, '.cursor', 'mcp.json'));
    expect(there).not.toHaveProperty('command');
  });
});
