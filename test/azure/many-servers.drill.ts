import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connect } from '../../src/store/backends/connection.ts';
import { random } from '../bench/corpus.mjs';
import { makeContainer } from '../helpers/azurite.ts';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { judgedRows, leaseFaults } from './lease-history.ts';

/** Longer by hand: `LORE_SERVERS_SECONDS=300 npx vitest run --config test/vitest.config.ts test/azure/many-servers.drill.ts`. */
const SECONDS = Number(process.env['LORE_SERVERS_SECONDS'] ?? 25);
const SERVERS = 3;
const CLIENTS = 20;
const LEASE_MS = 3_000;
const ANSWER_MS = 20_000;
const NAMESPACE = 'many';

/** Below the ports that the system gives by itself: while a server is down, no other test may answer in its place. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Servers that are killed and started again on their ports. */
class Crowd implements AsyncDisposable {
  readonly #cli: Cli;
  readonly #env: Readonly<Record<string, string>>;
  #served: (Served | undefined)[] = [];
  #ports: number[] = [];
  kills = 0;

  private constructor(cli: Cli, env: Readonly<Record<string, string>>) {
    this.#cli = cli;
    this.#env = env;
  }

  static async start(env: Readonly<Record<string, string>>): Promise<Crowd> {
    const crowd = new Crowd(await openCli(), env);
    for (let nth = 0; nth < SERVERS; nth += 1) {
      const port = await freePort();
      crowd.#served[nth] = await crowd.#serve(nth, port);
      crowd.#ports[nth] = port;
    }
    return crowd;
  }

  /** Of any of them, also of one that is down at the moment. */
  url(nth: number): string {
    return `http://127.0.0.1:${this.#ports[nth % SERVERS]}`;
  }

  async kill(nth: number, pauseMs: number): Promise<void> {
    const served = this.#served[nth];
    this.#served[nth] = undefined;
    await served?.stop('SIGKILL');
    this.kills += 1;
    await sleep(pauseMs);
    this.#served[nth] = await this.#serve(nth, this.#ports[nth]!);
  }

  async stop(): Promise<(number | null | undefined)[]> {
    const codes: (number | null | undefined)[] = [];
    for (const served of this.#served) codes.push((await served?.stop())?.code);
    return codes;
  }

  #serve(nth: number, port: number): Promise<Served> {
    const env = { ...this.#env, SERVICE_STORAGE_LOCAL_PATH: `${this.#cli.home}/server-${nth}` };
    return this.#cli.serve(['--port', String(port)], { env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cli[Symbol.asyncDispose]();
  }
}

/** What a client of its own asked for, and what was acknowledged. */
class Client {
  /** Content and priority by id. */
  readonly kept = new Map<string, { readonly content: string; readonly priority: string }>();
  readonly #crowd: Crowd;
  readonly #nth: number;
  readonly #next: () => number;
  acknowledged = 0;
  #made = 0;

  constructor(crowd: Crowd, nth: number) {
    this.#crowd = crowd;
    this.#nth = nth;
    this.#next = random(nth + 1);
  }

  async run(until: number): Promise<void> {
    while (performance.now() < until) {
      const choice = this.#next();
      const [id] = this.#any();
      if (id === undefined || choice < 0.6) await this.#save();
      else if (choice < 0.85) await this.#prioritize(id);
      else await this.#remove(id);
      this.acknowledged += 1;
    }
  }

  async #save(): Promise<void> {
    this.#made += 1;
    const content = `note ${this.#made} of client ${this.#nth}: ${Math.floor(this.#next() * 1e9)}`;
    const { ids } = await this.#ask('POST', '/api/save?form=reference', { content, namespace: NAMESPACE, priority: 'low' });
    this.kept.set((ids as string[])[0]!, { content, priority: 'low' });
  }

  async #prioritize(id: string): Promise<void> {
    const priority = this.#next() < 0.5 ? 'high' : 'normal';
    await this.#ask('PATCH', `/api/${id}`, { priority });
    this.kept.set(id, { ...this.kept.get(id)!, priority });
  }

  async #remove(id: string): Promise<void> {
    await this.#ask('DELETE', `/api/${id}`);
    this.kept.delete(id);
  }

  #any(): string[] {
    const ids = [...this.kept.keys()];
    return ids.slice(Math.floor(this.#next() * ids.length)).slice(0, 1);
  }

  /** Asks one server after the other, with the same key, until one of them acknowledges. */
  async #ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const key = `client-${this.#nth}-${this.acknowledged}`;
    const headers = { 'idempotency-key': `"${key}"`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    for (;;) {
      const url = `${this.#crowd.url(Math.floor(this.#next() * SERVERS))}${path}`;
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(url, { method, headers, ...text, signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
      const told = await answer?.text().catch(() => undefined);
      if (answer !== undefined && told !== undefined && answer.ok) return JSON.parse(told) as Record<string, unknown>;
      if (answer !== undefined && told !== undefined && answer.status < 500 && answer.status !== 409) {
        throw new Error(`${method} ${path} by ${key}: ${answer.status} ${told}`);
      }
      await sleep(50 + this.#next() * 200);
    }
  }
}

interface Listed {
  readonly id: string;
  readonly content: string;
  readonly priority: string;
}

async function listed(url: string): Promise<Listed[]> {
  const entries: Listed[] = [];
  for (;;) {
    const response = await fetch(`${url}/api/list?form=reference&namespace=${NAMESPACE}&limit=100&offset=${entries.length}`);
    if (!response.ok) throw new Error(`The list: ${response.status} ${await response.text()}`);
    const { entries: page } = (await response.json()) as { entries: (Omit<Listed, 'priority'> & { metadata: Pick<Listed, 'priority'> })[] };
    entries.push(...page.map(({ id, content, metadata: { priority } }) => ({ id, content, priority })));
    if (page.length === 0) return entries;
  }
}

it(
  `keep every acknowledged write exactly once while they are killed at random for ${SECONDS} s`,
  async () => {
    const { uri, options } = await makeContainer();
    await using crowd = await Crowd.start({
      SERVICE_STORAGE_PATH: uri,
      SERVICE_MEMORY_NAMESPACE: 'team',
      SERVICE_STORAGE_OPTIONS: JSON.stringify(options),
      SERVICE_STORAGE_LEASE_MS: String(LEASE_MS),
      SERVICE_STORAGE_READ_CONSISTENCY_MS: '0',
    });
    const next = random(11);
    const until = performance.now() + SECONDS * 1000;
    const clients = Array.from({ length: CLIENTS }, (_, nth) => new Client(crowd, nth));
    const killing = (async () => {
      while (performance.now() < until - 3000) {
        await sleep(2000 + next() * 3000);
        await crowd.kill(Math.floor(next() * SERVERS), next() * 2000);
      }
    })();
    await Promise.all(clients.map((client) => client.run(until)));
    await killing;
    const expected = clients.flatMap(({ kept }) => [...kept].map(([id, entry]) => ({ id, ...entry })));
    const byId = (a: Listed, b: Listed): number => (a.id < b.id ? -1 : 1);
    for (let nth = 0; nth < SERVERS; nth += 1) {
      expect((await listed(crowd.url(nth))).toSorted(byId)).toEqual(expected.toSorted(byId));
    }
    expect(crowd.kills).toBeGreaterThan(0);
    const codes = await crowd.stop();
    const connection = await connect(uri, { options, timeoutMs: 20_000 });
    const rows = await judgedRows(connection);
    connection.close();
    const count = (kind: string): number => rows.filter(({ row, counts }) => counts && row.kind === kind).length;
    process.stderr.write(
      `${clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} changes acknowledged, ${expected.length} entries, ${crowd.kills} kills, ${count('records')} batches, ${rows.filter(({ row, counts }) => !counts && row.kind === 'records').length} decided again, ${count('lease')} leases, ${count('head')} heads\n`,
    );
    expect(leaseFaults(rows, LEASE_MS)).toEqual([]);
    expect(codes).toEqual([0, 0, 0]);
  },
  (SECONDS + 240) * 1000,
);
