import { LoreError } from '../memory/errors.ts';
import type {
  CallOptions,
  ExportLine,
  ExportRequest,
  ImportLine,
  ImportOptions,
  ImportReport,
  ImportRequest,
  MemoryOperations,
} from '../memory/operations/operations.ts';
import type { AdministrationOperations } from '../memory/operations/administration.ts';
import { callsOf } from './group-calls.ts';
import { follow } from './event-stream.ts';
import { jsonLines } from './json-lines.ts';
import { healthFrom, type HealthResponse } from './health-response.ts';
import { ROUTES } from './routes.ts';
import { isProblem, streamError } from './error-response.ts';
import { Transport, type KeySource, type Query } from './transport.ts';

export interface HttpClientOptions {
  /** URL of the server, such as `http://127.0.0.1:7007`. A path in it is kept. */
  readonly baseUrl: string;
  /** API key or the token in the store's lock file, or an object that supplies it. */
  readonly key?: string | KeySource;
  readonly fetch?: typeof fetch;
  /** Timeout of a request; default 30,000. Streams and migrations have none. */
  readonly timeoutMs?: number;
  /** Number of retries of a request that is safe to retry; default 0. */
  readonly retries?: number;
}

export type HttpClient = MemoryOperations & { close(): Promise<void> };

/**
 * Creates a client for the operations of a running server. Calls reject with the server's error code, or with `network` if it does not answer.
 * Does not connect yet; `close` aborts the calls in progress and refuses later ones.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new RemoteMemories(new Transport(options));
}

type Groups = Omit<typeof ROUTES, 'memories' | 'sync'>;
type Defined = DefinedMemories & { readonly administration: AdministrationOperations } & Pick<
    MemoryOperations,
    keyof (typeof ROUTES)['memories'] | (keyof Groups & keyof MemoryOperations)
  >;

/** The operations that are not streamed, built from the route table. */
class DefinedMemories {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    const { memories, sync: _ofStores, ...groups } = ROUTES;
    const members = Object.entries(groups).map(([group, routes]) => [group, callsOf(routes, transport)]);
    Object.assign(this, callsOf(memories, transport), Object.fromEntries(members));
  }

  close(): Promise<void> {
    this.#transport.close();
    return Promise.resolve();
  }
}

/** The operations of a server over a given transport. */
export class RemoteMemories extends (DefinedMemories as new (transport: Transport) => Defined) implements MemoryOperations {
  readonly changes: MemoryOperations['changes'];
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
    this.changes = { follow: (request, options) => follow(transport, request, options) };
    const send = this.save.bind(this);
    const ask: (options?: CallOptions) => Promise<object> = this.health.bind(this);
    this.health = async (options) => healthFrom((await ask(options)) as HealthResponse);
    this.save = async (request, options) => {
      const receipt = await send(request, options);
      const [id] = receipt.ids;
      if (id === undefined) throw new LoreError('internal', 'The server stored the text but returned no id.');
      // The response has only the id of the entry.
      return { ...receipt, entry: await this.get(id, options) };
    };
  }

  async *export(request: ExportRequest, options: CallOptions = {}): AsyncGenerator<ExportLine> {
    // This side needs plain lines, even if the server compresses exports by default.
    const query: Query = { format: 'jsonl', gzip: false, ...request };
    const body = this.#transport.stream('GET', 'export', { ...options, query });
    for await (const line of jsonLines(body)) yield line as ExportLine;
  }

  async import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options: ImportOptions = {}): Promise<ImportReport> {
    const query: Query = { ...request, report: 'full' };
    const body = this.#transport.stream('POST', 'import', { ...options, query, chunks });
    let report: ImportReport | undefined;
    for await (const answer of jsonLines(body)) {
      const { summary, ...line } = answer as { summary?: ImportReport & { success?: boolean } } & ImportLine;
      if (summary === undefined && isProblem(answer) && 'success' in answer) throw streamError(answer);
      if (summary === undefined) options.onLine?.(line);
      else {
        const { success: _success, ...rest } = summary;
        report = rest;
      }
    }
    if (report === undefined) throw new LoreError('network', 'The server ended the import without a report.');
    return report;
  }
}
