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
import { withoutSuccess, type Answered } from './answered.ts';
import { defined } from './defined.ts';
import type { ROUTES } from './routes.ts';
import { jsonLines } from './json-lines.ts';
import { RemoteEvents } from './remote-events.ts';
import { healthFrom, type HealthAnswer } from './reference-form.ts';
import { isProblem, streamError, Transport, type KeySource, type Query } from './transport.ts';

export interface HttpClientOptions {
  /** Where the server is, as in `http://127.0.0.1:7007`; a path in it is kept. */
  readonly baseUrl: string;
  /** API key, or the token of the store's lock; or where one comes from. */
  readonly key?: string | KeySource;
  readonly fetch?: typeof fetch;
  /** How long an answer may take; default 30,000. Streams and migrations have no limit. */
  readonly timeoutMs?: number;
  /** How often a request is repeated where that can do no harm; default 0. */
  readonly retries?: number;
}

export type HttpClient = MemoryOperations & { close(): Promise<void> };

/**
 * The operations of a running server, over its /api routes. Rejects with the code that the server gave, `network` where it does not answer.
 * Opens nothing; `close` ends what is under way, and every later call is refused.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new RemoteMemories(new Transport(options));
}

/** Those of the operations on the service itself that are defined. */
class DefinedMemories {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    Object.assign(this, defined('memories', transport));
  }

  close(): Promise<void> {
    this.#transport.close();
    return Promise.resolve();
  }
}
type Defined = DefinedMemories & Pick<MemoryOperations, keyof (typeof ROUTES)['memories']>;

/** The operations of a server over a transport, which the caller makes. */
export class RemoteMemories extends (DefinedMemories as new (transport: Transport) => Defined) implements MemoryOperations {
  readonly relations: MemoryOperations['relations'];
  readonly lifecycle: MemoryOperations['lifecycle'];
  readonly backups: MemoryOperations['backups'];
  readonly capture: MemoryOperations['capture'];
  readonly moves: MemoryOperations['moves'];
  readonly sources: MemoryOperations['sources'];
  readonly statistics: MemoryOperations['statistics'];
  readonly bulk: MemoryOperations['bulk'];
  readonly details: MemoryOperations['details'];
  readonly changes: RemoteEvents;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport);
    this.#transport = transport;
    this.relations = defined('relations', transport);
    this.lifecycle = defined('lifecycle', transport);
    this.backups = defined('backups', transport);
    this.capture = defined('capture', transport);
    this.moves = defined('moves', transport);
    this.sources = defined('sources', transport);
    this.statistics = defined('statistics', transport);
    this.bulk = defined('bulk', transport);
    this.details = defined('details', transport);
    this.changes = new RemoteEvents(transport);
    const [send, ask] = [this.save.bind(this), this.health.bind(this)];
    this.health = async (options) => healthFrom((await ask(options)) as unknown as HealthAnswer);
    this.save = async (request, options) => {
      const receipt = await send(request, options);
      const [id] = receipt.ids;
      if (id === undefined) throw new LoreError('internal', 'The server stored the text and named no id.');
      // The answer names the entry and does not tell it.
      return { ...receipt, entry: await this.get(id, options) };
    };
  }

  async *export(request: ExportRequest, options: CallOptions = {}): AsyncGenerator<ExportLine> {
    // What this side reads are lines, also where the server compresses what it hands out.
    const query: Query = { format: 'jsonl', gzip: false, ...request };
    const body = this.#transport.stream('GET', 'export', { ...options, query });
    for await (const line of jsonLines(body)) yield line as ExportLine;
  }

  async import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options: ImportOptions = {}): Promise<ImportReport> {
    const query: Query = { ...request, report: 'full' };
    const body = this.#transport.stream('POST', 'import', { ...options, query, chunks });
    let report: ImportReport | undefined;
    for await (const answer of jsonLines(body)) {
      const { summary, ...line } = answer as { summary?: Answered<ImportReport> } & ImportLine;
      if (summary === undefined && isProblem(answer) && 'success' in answer) throw streamError(answer);
      if (summary === undefined) options.onLine?.(line);
      else report = withoutSuccess(summary);
    }
    if (report === undefined) throw new LoreError('network', 'The server ended the import without a report.');
    return report;
  }
}
