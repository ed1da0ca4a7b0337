import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Connection, type Table } from '@lancedb/lancedb';
import { createFrom, indexOptions, indexStats, insert, merge, query, Refusal, schemaJson, type Json } from './lancedb-service-tables.ts';

export const SERVICE_KEY = 'sk_test_of_the_service';

export interface BrokenWrite {
  after: number;
  /** Whether the request is carried out despite the error response. */
  readonly done: boolean;
}

export interface LanceService extends AsyncDisposable {
  /** Resolves when no background work is left. */
  settle(): Promise<void>;
  /** For `hostOverride`. */
  readonly url: string;
  /** Every received request: method and path. */
  readonly requests: readonly string[];
  /** While set, every request gets 503. */
  isBusy: boolean;
  /** Responds with 503 from the first request to this path on; undefined for none. */
  breakAfter: string | undefined;
  /** Fails writes after this number; undefined for none. */
  breakWrite: BrokenWrite | undefined;
  /** The tables, for inspection by a test. */
  rows(table: string): Promise<Record<string, unknown>[]>;
}

/**
 * Simulates the part of LanceDB Cloud's REST protocol that Lore needs, as the client of LanceDB 0.31 speaks it, on LanceDB tables in a folder.
 * Refuses everything else: row ids, earlier versions, adding or dropping columns, merging. Indexes are built after the response, and tables are
 * merged from time to time, so that their versions advance.
 */
export async function startLanceService(): Promise<LanceService> {
  const folder = await mkdtemp(join(tmpdir(), 'lore-service-'));
  const connection = await connect(folder);
  const state = new Service(connection);
  const server = createServer((request, response) => void state.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await state.settle();
      connection.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Number of writes after which the service merges a table. */
const MERGE_AFTER = 5;

class Service {
  readonly requests: string[] = [];
  isBusy = false;
  breakAfter: string | undefined;
  breakWrite: BrokenWrite | undefined;
  readonly #connection: Connection;
  readonly #work = new Set<Promise<void>>();
  readonly #writes = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async rows(table: string): Promise<Record<string, unknown>[]> {
    const opened = await this.#connection.openTable(table);
    return (await opened.query().toArray()) as Record<string, unknown>[];
  }

  /** Resolves when no background work is left. */
  async settle(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    this.requests.push(`${request.method} ${pathname}`);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (this.isBusy || this.#isBroken()) throw new Refusal(503, 'The service is busy');
      if (request.headers['x-api-key'] !== SERVICE_KEY) throw new Refusal(401, 'Invalid API key');
      if (typeof request.headers['x-lancedb-database'] !== 'string') throw new Refusal(400, 'No database is named');
      const answer = await this.#route(pathname, Buffer.concat(chunks), searchParams);
      const isArrow = answer instanceof Uint8Array;
      response.writeHead(200, {
        'phalanx-version': '0.4.0',
        'content-type': isArrow ? 'application/vnd.apache.arrow.file' : 'application/json',
      });
      response.end(isArrow ? answer : JSON.stringify(answer));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      response.writeHead(status, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? error.message : String(error));
    }
  }

  #isBroken(): boolean {
    return this.requests.includes(`POST ${this.breakAfter}`);
  }

  async #route(pathname: string, body: Buffer, query: URLSearchParams): Promise<unknown> {
    const [, version, , name = '', ...rest] = pathname.split('/');
    const action = rest.filter((part) => part !== '').join('/');
    if (version !== 'v1') throw new Refusal(404, 'No such path');
    if (name === '') return { tables: query.get('page_token') === null ? await this.#connection.tableNames() : [] };
    if (action === 'create') return await this.#create(name, body);
    const table = await this.#open(name);
    try {
      if (action === 'insert') return await this.#write(table, () => insert(table, body));
      if (action === 'merge_insert') return await this.#write(table, () => merge(table, body, query));
      const json = (body.length === 0 ? {} : JSON.parse(body.toString())) as Json;
      if (json['version'] !== undefined && json['version'] !== null) throw new Refusal(400, 'Earlier versions are not kept here');
      return await this.#act(table, action, json);
    } finally {
      table.close();
    }
  }

  async #act(table: Table, action: string, json: Json): Promise<unknown> {
    const index = /^index\/(.+)\/(stats|drop)$/.exec(action);
    if (index?.[2] === 'stats') return await indexStats(table, index[1]!);
    switch (action) {
      case 'describe':
        return { table: table.name, version: await table.version(), schema: schemaJson(await table.schema()) };
      case 'count_rows':
        return await table.countRows(json['predicate'] as string | undefined);
      case 'query':
        return await query(table, json);
      case 'delete':
        return await this.#write(table, async () => {
          const { numDeletedRows, version } = await table.delete(json['predicate'] as string);
          return { num_deleted_rows: numDeletedRows, version };
        });
      case 'stats': {
        const { totalBytes, numRows, numIndices, fragmentStats } = await table.stats();
        const { numFragments, numSmallFragments, lengths } = fragmentStats;
        return {
          total_bytes: totalBytes,
          num_rows: numRows,
          num_indices: numIndices,
          fragment_stats: { num_fragments: numFragments, num_small_fragments: numSmallFragments, lengths },
        };
      }
      case 'version/list':
        return { versions: (await table.listVersions()).map(({ version, timestamp, metadata }) => ({ version, timestamp, metadata })) };
      case 'index/list':
        return {
          indexes: (await table.listIndices()).map(({ name, columns, indexType }) => ({
            index_name: name,
            columns,
            index_type: indexType,
            index_status: 'done',
          })),
        };
      case 'create_index':
        return this.#createIndex(table.name, json);
      default:
        throw new Refusal(404, `No such path: ${action}`);
    }
  }

  async #create(name: string, body: Buffer): Promise<unknown> {
    if ((await this.#connection.tableNames()).includes(name)) throw new Refusal(400, `Table ${name} already exists`);
    await createFrom(this.#connection, name, body);
    return { table: name };
  }

  async #open(name: string): Promise<Table> {
    if (!(await this.#connection.tableNames()).includes(name)) throw new Refusal(404, `Table ${name} not found`);
    return await this.#connection.openTable(name);
  }

  async #write<T>(table: Table, write: () => Promise<T>): Promise<T> {
    const breaks = this.breakWrite?.after === 0 ? this.breakWrite : undefined;
    const broken = new Refusal(503, 'The write was broken on purpose');
    if (breaks?.done === false) throw broken;
    const done = await write();
    if (breaks !== undefined) throw broken;
    if (this.breakWrite !== undefined) this.breakWrite.after -= 1;
    const writes = (this.#writes.get(table.name) ?? 0) + 1;
    this.#writes.set(table.name, writes);
    if (writes % MERGE_AFTER === 0) this.#later(table.name, async (opened) => void (await opened.optimize()));
    return done;
  }

  #createIndex(name: string, json: Json): Json {
    const options = indexOptions(json);
    this.#later(name, (table) => table.createIndex(json['column'] as string, options));
    return {};
  }

  #later(name: string, run: (table: Table) => Promise<void>): void {
    const work = (async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const table = await this.#connection.openTable(name);
      await run(table).finally(() => table.close());
    })().finally(() => this.#work.delete(work));
    work.catch(() => undefined);
    this.#work.add(work);
  }
}
