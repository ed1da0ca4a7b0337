import type { Entry, SearchMode } from '../memory/entry.ts';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import { LoreError } from '../memory/errors.ts';
import type {
  CallOptions,
  EntryPage,
  ExportLine,
  ExportRequest,
  Health,
  ImportLine,
  ImportOptions,
  ImportReport,
  ImportRequest,
  ListRequest,
  MemoryOperations,
  PatchRequest,
  RecallRequest,
  SaveReceipt,
  SaveRequest,
  SearchRequest,
  SearchResults,
} from '../memory/operations/operations.ts';
import { withoutSuccess, type Answered } from './answered.ts';
import { defined } from './defined.ts';
import type { ROUTES } from './routes.ts';
import { jsonLines } from './json-lines.ts';
import { RemoteEvents } from './remote-events.ts';
import { healthFrom, scoredFrom, type HealthAnswer, type ReferenceResult } from './reference-form.ts';
import { isProblem, streamError, Transport, type Query } from './transport.ts';

export interface HttpClientOptions {
  /** Where the server is, as in `http://127.0.0.1:7007`; a path in it is kept. */
  readonly baseUrl: string;
  /** API key, or the token of the store's lock. */
  readonly key?: string;
  readonly fetch?: typeof fetch;
  /** How long an answer may take; default 30,000. Streams and migrations have no limit. */
  readonly timeoutMs?: number;
  /** How often a request is repeated where that can do no harm; default 0. */
  readonly retries?: number;
}

export type HttpClient = MemoryOperations & { close(): Promise<void> };

interface SearchAnswer {
  readonly mode: SearchMode;
  readonly archivedMatches?: number;
  readonly results: readonly ReferenceResult[];
}

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
  }

  async save(request: SaveRequest, options: CallOptions = {}): Promise<SaveReceipt> {
    const answer = await this.#transport.json<Omit<SaveReceipt, 'entry'>>('POST', 'save', { ...options, body: request, once: true });
    const [id] = answer.ids;
    if (id === undefined) throw new LoreError('internal', 'The server stored the text and named no id.');
    const { message, ids, outcomes } = answer;
    return { ids, message, outcomes, entry: await this.get(id, options) };
  }

  async recall(request: RecallRequest, options: CallOptions = {}): Promise<SearchResults> {
    const answer = await this.#transport.json<SearchAnswer>('POST', 'recall', { ...options, body: request, safe: true });
    return { query: request.query, ...foundFrom(answer) };
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResults> {
    const answer = await this.#transport.json<SearchAnswer>('POST', 'search', { ...options, body: request, safe: true });
    const { query, filter } = request;
    return { query, ...foundFrom(answer), ...(filter !== undefined && { filter }) };
  }

  async list(request: ListRequest, options: CallOptions = {}): Promise<EntryPage> {
    const query = { ...request, tags: listText(request.tags) };
    const answer = await this.#transport.json<Omit<EntryPage, 'entries'> & { entries: EntryForm[] }>('GET', 'list', {
      ...options,
      query,
    });
    const { total, offset, limit, entries } = answer;
    return { entries: entries.map(entryFrom), total, offset, limit };
  }

  async get(id: string, options: CallOptions = {}): Promise<Entry> {
    const { entry } = await this.#transport.json<{ entry: EntryForm }>('GET', encodeURIComponent(id), options);
    return entryFrom(entry);
  }

  async markUsed(id: string, options: CallOptions = {}): Promise<Entry> {
    const { entry } = await this.#transport.json<{ entry: EntryForm }>('POST', `${encodeURIComponent(id)}/use`, {
      ...options,
      body: {},
    });
    return entryFrom(entry);
  }

  async update(id: string, patch: PatchRequest, options: CallOptions = {}): Promise<Entry> {
    const sent = { ...options, body: patch, once: true };
    const { entry } = await this.#transport.json<{ entry: EntryForm }>('PATCH', encodeURIComponent(id), sent);
    return entryFrom(entry);
  }

  async forget(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.json('DELETE', encodeURIComponent(id), { ...options, once: true });
  }

  async health(options: CallOptions = {}): Promise<Health> {
    return healthFrom(await this.#transport.json<HealthAnswer>('GET', 'health', options));
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

function foundFrom({ mode, results, archivedMatches }: SearchAnswer): Omit<SearchResults, 'query' | 'filter'> {
  return { mode, results: results.map(scoredFrom), ...(archivedMatches !== undefined && { archivedMatches }) };
}

/** Commas separate words in a query string; words that hold one, or blanks outside, or look like JSON, go as a JSON array. */
function listText(words: readonly string[] | undefined): string | undefined {
  const plain = words?.every((word) => !word.includes(',') && word.trim() === word && !word.startsWith('['));
  return plain === false ? JSON.stringify(words) : words?.join(',');
}
