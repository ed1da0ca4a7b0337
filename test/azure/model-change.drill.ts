import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openApp, type App } from '../../src/app.ts';
import { silentLog } from '../../src/memory/log.ts';
import type { Health, MemoryOperations } from '../../src/memory/operations/operations.ts';
import { testConfig } from '../helpers/app.ts';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { openCli, type Cli, type Ran, type Served } from '../helpers/cli.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { temporaryFolder } from '../helpers/folder.ts';

/** Several servers and the storage share the machine with other tests. */
const PATIENCE = { timeout: 120_000, interval: 20 };
const LONG_MS = 300_000;
/** A server that is killed is replaced soon; one that is only slow, in a process that others share, is not. */
const LEASE_MS = 3_000;
const LONG_LEASE_MS = 30_000;
const WORDS = 'harbour crane walrus cache deploy train vault noon court query merge branch heron river stone lamp'.split(' ');
const text = (nth: number): string =>
  `note ${nth}: ${[nth, nth * 7 + 1, nth * 3 + 5].map((at) => WORDS[at % WORDS.length]).join(' ')} ${nth}`;

/** The change is made. A request for it ends before the change does where the machine is slow. */
const isChanged = (memories: MemoryOperations): Promise<unknown> =>
  vi.waitFor(async () => expect(['done', 'nothing to do']).toContain((await memories.migrate({})).status), PATIENCE);

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  for (let nth = 0; nth < count; nth += 1) yield Buffer.from(`${JSON.stringify({ content: text(nth) })}\n`);
  await Promise.resolve();
}

const hosted = (api: EmbeddingApi): Record<string, unknown> => ({
  'embeddings.provider': 'openai',
  'embeddings.baseUrl': api.url,
  'embeddings.dimensions': api.width,
  'embeddings.model': 'model-a',
});

/** Servers of one store in this process, each with a folder of its own. They are closed, last first, at the end. */
class Team implements AsyncDisposable {
  readonly #container: Container;
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly #apps: App[] = [];

  private constructor(container: Container, folder: Awaited<ReturnType<typeof temporaryFolder>>) {
    this.#container = container;
    this.#folder = folder;
  }

  /** A store that the builtin embedder has filled. */
  static async of(count: number): Promise<Team> {
    const team = new Team(await makeContainer(), await temporaryFolder());
    const app = await team.open('filler');
    await app.memories.import(lines(count), {});
    await app.close();
    return team;
  }

  async open(name: string, flags: Record<string, unknown> = {}): Promise<App> {
    const { uri, options } = this.#container;
    const app = await openApp(
      testConfig(this.#folder.path, {
        'storage.path': uri,
        'storage.options': options,
        'storage.leaseMs': LONG_LEASE_MS,
        'storage.readConsistencyMs': 0,
        'storage.localPath': `${this.#folder.path}/server-${name}`,
        ...flags,
      }),
      { log: silentLog },
    );
    this.#apps.push(app);
    return app;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const app of this.#apps.toReversed()) await app.close();
    await this.#folder[Symbol.asyncDispose]();
  }
}

const models = async (memories: MemoryOperations): Promise<string[]> =>
  (await memories.stats()).vectors.map(({ embedder, entries }) => `${embedder.split('/', 2).join('/')}:${entries}`).toSorted();

async function nearest(memories: MemoryOperations, query: string): Promise<string | undefined> {
  return (await memories.recall({ query, searchMode: 'vector', limit: 1 })).results[0]?.entry.content;
}

describe.each([384, 300])(
  'switching a shared store from the builtin model to a model with %d dimensions',
  { timeout: LONG_MS },
  (width) => {
    it('is done by the lease holder, whichever server is asked; the others keep answering, then use the new vectors', async () => {
      await using api = await startEmbeddingApi();
      api.width = width;
      await using team = await Team.of(250);
      const holder = await team.open('a', hosted(api));
      const asked = await team.open('b', hosted(api));
      for (const { memories } of [holder, asked]) {
        expect(await nearest(memories, text(17))).toBe(text(17));
        expect((await memories.health()).embedder).toMatchObject({ provider: 'builtin', next: `openai/model-a/${width}/2` });
        expect((await memories.health()).degraded.join()).toContain('this server is configured for model-a');
      }
      let release = (): void => undefined;
      api.hold = new Promise((resolve) => (release = resolve));
      const migrating = asked.memories.migrate({});
      await vi.waitFor(async () => expect((await holder.memories.health()).maintenance).toBe('re-embedding 0 of 250'), PATIENCE);
      expect((await asked.memories.health()).maintenance).toBe('waiting for the server that maintains the store to change the model');
      await asked.memories.save({ content: 'a lighthouse keeper saved this meanwhile' });
      const [first] = (await asked.memories.list({ sort: 'createdAt', limit: 1 })).entries;
      await holder.memories.update(first!.id, { content: 'edited while the vectors were made' });
      for (const { memories } of [holder, asked]) {
        expect(await nearest(memories, text(17))).toBe(text(17));
        expect(await models(memories)).toEqual(['builtin/hashed-words:251']);
      }
      release();
      expect(await migrating).toMatchObject({ stale: 250 });
      await isChanged(asked.memories);
      for (const { memories } of [holder, asked]) {
        await vi.waitFor(async () => expect(await models(memories)).toEqual(['openai/model-a:251']), PATIENCE);
        for (const content of [text(18), text(249), 'a lighthouse keeper saved this meanwhile', 'edited while the vectors were made']) {
          expect(await nearest(memories, content)).toBe(content);
        }
        const health = await memories.health();
        expect(health.degraded).toEqual([]);
        expect(health.embedder).not.toHaveProperty('next');
        expect((await memories.list({})).total).toBe(251);
      }
      const third = await team.open('c', hosted(api));
      expect(await models(third.memories)).toEqual(['openai/model-a:251']);
      expect(await nearest(third.memories, text(3))).toBe(text(3));
    });

    it('includes entries saved by a server that does not know of the switch yet', async () => {
      await using api = await startEmbeddingApi();
      api.width = width;
      await using team = await Team.of(60);
      const holder = await team.open('a', hosted(api));
      // Of the old settings: the builtin embedder is its target.
      const old = await team.open('b', { 'storage.readConsistencyMs': 60_000 });
      const saving = (async () => {
        for (let nth = 0; nth < 40; nth += 1) await old.memories.save({ content: `saved during the change ${nth}` });
      })();
      await isChanged(holder.memories);
      await saving;
      await old.memories.save({ content: 'saved after the change' });
      await vi.waitFor(async () => {
        await holder.memories.health();
        await nearest(holder.memories, 'anything');
        expect(await models(holder.memories)).toEqual(['openai/model-a:101']);
      }, PATIENCE);
      expect(await nearest(holder.memories, 'saved during the change 7')).toBe('saved during the change 7');
    });

    it('leaves a server that cannot reach the new model answering by keyword; other servers embed its saves', async () => {
      await using api = await startEmbeddingApi();
      api.width = width;
      await using team = await Team.of(60);
      const holder = await team.open('a', hosted(api));
      const other = await team.open('b');
      await isChanged(holder.memories);
      await vi.waitFor(async () => {
        await other.memories.list({});
        expect((await other.memories.health()).degraded.join()).toContain('which this server cannot use');
      }, PATIENCE);
      const { memories } = other;
      expect((await memories.recall({ query: text(17), limit: 1 })).results[0]?.entry.content).toBe(text(17));
      await expect(memories.recall({ query: text(17), searchMode: 'vector' })).rejects.toMatchObject({ code: 'unavailable' });
      expect((await memories.save({ content: 'a zeppelin over the bay' })).outcomes[0]?.vector).toBe('pending');
      expect(await models(memories)).toEqual(['none:1', 'openai/model-a:60']);
      await vi.waitFor(
        async () => expect(await nearest(holder.memories, 'a zeppelin over the bay')).toBe('a zeppelin over the bay'),
        PATIENCE,
      );
      // One that is opened afterwards begins like that.
      const late = await team.open('c');
      expect((await late.memories.health()).degraded.join()).toContain('which this server cannot use');
      expect((await late.memories.recall({ query: text(18), limit: 1 })).results[0]?.entry.content).toBe(text(18));
    });
  },
);

/** Servers in processes of their own, with the settings of the new model. */
class Processes {
  readonly #cli: Cli;
  readonly #env: Readonly<Record<string, string>>;

  constructor(cli: Cli, { uri, options }: Container, api: EmbeddingApi) {
    this.#cli = cli;
    this.#env = {
      SERVICE_STORAGE_PATH: uri,
      SERVICE_MEMORY_NAMESPACE: 'test',
      SERVICE_STORAGE_OPTIONS: JSON.stringify(options),
      SERVICE_STORAGE_LEASE_MS: String(LEASE_MS),
      SERVICE_STORAGE_READ_CONSISTENCY_MS: '0',
      SERVICE_EMBEDDINGS_PROVIDER: 'openai',
      SERVICE_EMBEDDINGS_BASE_URL: api.url,
      SERVICE_EMBEDDINGS_DIMENSIONS: String(api.width),
      SERVICE_EMBEDDINGS_MODEL: 'model-a',
    };
  }

  serve(name: string): Promise<Served> {
    return this.#cli.serve([], { env: this.#envOf(name) });
  }

  run(args: readonly string[]): Promise<Ran> {
    return this.#cli.run(args, { env: this.#envOf('command') });
  }

  #envOf(name: string): Readonly<Record<string, string>> {
    return { ...this.#env, SERVICE_STORAGE_LOCAL_PATH: `${this.#cli.home}/server-${name}` };
  }
}

async function ask<Result>({ url }: Served, path: string, body?: unknown): Promise<Result> {
  const request = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, request);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Result;
}

async function found(server: Served, query: string): Promise<string | undefined> {
  const { results } = await ask<{ results: { entry: { content: string } }[] }>(server, '/api/recall', {
    query,
    searchMode: 'vector',
    limit: 1,
  });
  return results[0]?.entry.content;
}

const isServed = async (server: Served): Promise<boolean> => (await ask<Health>(server, '/api/health')).embedder.provider === 'openai';

/** A store that the builtin embedder has filled, in a container of its own. */
async function filledContainer(count: number): Promise<Container> {
  const container = await makeContainer();
  await using folder = await temporaryFolder();
  const config = testConfig(folder.path, {
    'storage.path': container.uri,
    'storage.options': container.options,
    'storage.localPath': `${folder.path}/own`,
  });
  const app = await openApp(config, { log: silentLog });
  await app.memories.import(lines(count), {});
  await app.close();
  return container;
}

describe('switching the model with a command', { timeout: LONG_MS }, () => {
  const MIGRATED = { status: 'done', stale: 60, vectors: [{ embedder: 'openai/model-a/384/2', entries: 60 }] };
  const migrated = async (processes: Processes): Promise<unknown> => {
    const ran = await processes.run(['migrate', '--json']);
    const stats = await processes.run(['stats', '--json']);
    return { ...ran.json<object>(), ...stats.json<object>() };
  };

  it('is done by the command if no server runs', async () => {
    await using api = await startEmbeddingApi();
    await using cli = await openCli();
    expect(await migrated(new Processes(cli, await filledContainer(60), api))).toMatchObject(MIGRATED);
  });

  it('is done by the running server', async () => {
    await using api = await startEmbeddingApi();
    await using cli = await openCli();
    const processes = new Processes(cli, await filledContainer(60), api);
    const server = await processes.serve('a');
    expect(await migrated(processes)).toMatchObject(MIGRATED);
    expect(await found(server, text(18))).toBe(text(18));
  });
});

it(
  'is finished by another server if the first is killed at any step, and every server keeps answering',
  async () => {
    await using api = await startEmbeddingApi();
    api.width = 300;
    const container = await filledContainer(400);
    await using cli = await openCli();
    const processes = new Processes(cli, container, api);
    let changing = await processes.serve('0');
    let standby = await processes.serve('1');
    let saves = 0;
    await ask(changing, '/api/migrate', { wait: false });
    // Each phase or a later one: a short phase may pass between two looks, and so may the end of the change.
    for (const [nth, work] of [/re-embedding|checking|switching/, /checking|switching/, /switching/, /switching/].entries()) {
      // A server that takes over goes on without being asked.
      await vi.waitFor(async () => {
        const { maintenance, embedder } = await ask<Health>(changing, '/api/health');
        expect(work.test(maintenance) || embedder.provider === 'openai').toBe(true);
      }, PATIENCE);
      await sleep(nth * 100);
      await changing.stop('SIGKILL');
      expect(await found(standby, text(17))).toBe(text(17));
      await ask(standby, '/api/save', { content: `saved after kill ${nth}` });
      saves += 1;
      if (nth < 3) [changing, standby] = [standby, await processes.serve(String(nth + 2))];
    }
    await vi.waitFor(async () => {
      expect(await found(standby, text(18))).toBe(text(18));
      const { vectors } = await ask<{ vectors: { embedder: string; entries: number }[] }>(standby, '/api/stats');
      expect(vectors).toEqual([{ embedder: 'openai/model-a/300/2', entries: 400 + saves }]);
    }, PATIENCE);
    expect(await isServed(standby)).toBe(true);
    for (const nth of [0, 17, 399]) expect(await found(standby, text(nth))).toBe(text(nth));
    const late = await processes.serve('late');
    expect(await found(late, 'saved after kill 0')).toBe('saved after kill 0');
    expect(await found(late, text(200))).toBe(text(200));
  },
  LONG_MS,
);
