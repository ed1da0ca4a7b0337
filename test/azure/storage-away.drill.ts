import { expect, it } from 'vitest';
import { makeContainer, objectsOf, readOnlyToken, removeObject, type Container } from '../helpers/azurite.ts';
import { serveHere } from '../helpers/cli-server.ts';
import { openCli } from '../helpers/cli.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { openSharedStore } from '../helpers/shared-store.ts';
import { row } from '../helpers/store.ts';
import { silentWay } from './silent-way.ts';

/** What each poll may take on a slow machine. */
const PATIENCE = { timeout: 60_000, interval: 250 };

interface Health {
  readonly status: string;
  readonly degraded: readonly string[];
}

async function serve(uri: string, options: Container['options'], more: Readonly<Record<string, string>> = {}) {
  const cli = await openCli();
  const env = {
    SERVICE_STORAGE_PATH: uri,
    SERVICE_MEMORY_NAMESPACE: 'team',
    SERVICE_STORAGE_OPTIONS: JSON.stringify(options),
    SERVICE_STORAGE_LEASE_MS: '1500',
    SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
    ...more,
  };
  const served = await serveHere(cli, env);
  const { url } = served;
  const get = (path: string): Promise<Response> => fetch(`${url}${path}`);
  const save = (content: string): Promise<Response> =>
    fetch(`${url}/api/save`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content }) });
  return {
    get,
    save,
    search: (query: string): Promise<Response> =>
      fetch(`${url}/api/recall`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }),
    health: async (): Promise<Health> => (await get('/api/health')).json() as Promise<Health>,
    ready: async (): Promise<number> => (await get('/readyz')).status,
    [Symbol.asyncDispose]: async () => {
      await served.stop();
      await cli[Symbol.asyncDispose]();
    },
  };
}

it('health, readiness and metrics answer while object storage drops every byte, requests end with 503, and everything works once it is back', async () => {
  const container = await makeContainer();
  await using way = await silentWay(container);
  await using server = await serve(container.uri, way.options, { SERVICE_STORAGE_TIMEOUT_MS: '8000' });
  expect((await server.save('the kettle whistles at noon')).ok).toBe(true);
  await expect.poll(() => server.ready(), PATIENCE).toBe(200);
  way.swallow();
  await expect.poll(async () => (await server.health()).degraded.join(), PATIENCE).toContain('has not answered');
  expect(await server.ready()).toBe(503);
  const requests = Promise.all([server.save('the lamp hums at night'), server.search('kettle'), server.get('/api/list')]);
  for (let nth = 0; nth < 20; nth += 1) {
    await server.get('/api/health');
    await server.get('/readyz');
    await server.get('/metrics');
  }
  const answers = await requests;
  way.pass();
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await expect.poll(() => server.ready(), PATIENCE).toBe(200);
  expect((await server.health()).degraded).toEqual([]);
  expect((await server.save('the ferry is back')).ok).toBe(true);
});

it('a server with read-only credentials is not ready and says why', async () => {
  const container = await makeContainer();
  {
    await using first = await serve(container.uri, container.options);
    expect((await first.save('the kettle whistles at noon')).ok).toBe(true);
  }
  const { azure_storage_account_key: _, ...options } = container.options;
  await using server = await serve(container.uri, { ...options, azure_storage_sas_token: readOnlyToken(container) });
  // Until a write was tried it is not ready either, for no reason that could be told.
  const reason = 'The credentials allow reading the store but not writing to it.';
  await expect.poll(async () => (await server.health()).degraded.join(), PATIENCE).toContain(reason);
  expect(await server.ready()).toBe(503);
  expect((await server.get('/api/list')).status).toBe(200);
  expect((await server.save('the lamp hums at night')).status).toBe(503);
});

it('a missing object is reported as missing, not as an error of the server', async () => {
  const container = await makeContainer();
  await using own = await temporaryFolder();
  const store = await openSharedStore(container.uri, own.path, { options: container.options });
  await expect.poll(() => store.maintains, PATIENCE).toBe(true);
  const kettle = row('the kettle whistles at noon');
  const { id } = kettle.entry;
  await store.entries.insert(kettle);
  await store.optimize();
  await store.close();
  const again = await openSharedStore(container.uri, own.path, { options: container.options, name: 'b' });
  const files = (await objectsOf(container)).filter((name) => /entries.*\/data\//.test(name));
  expect(files).not.toEqual([]);
  for (const file of files) await removeObject(container, file);
  const failure = await failureOf(again.entries.rows([id]));
  expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('An object of the store is missing') });
  await again.close();
});
