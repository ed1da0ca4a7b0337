import type { Entry, EntryFilter, ScoredEntry } from '../../memory/entry.ts';
import type { CallOptions, ExplainReport, RecallRequest, SearchRequest, SearchResults } from '../../memory/operations/operations.ts';
import { withContentLimit } from '../../memory/content-limit.ts';
import type { Store } from '../../store/store.ts';
import type { Uses } from '../lifecycle/uses.ts';
import type { ServiceSettings } from '../service-settings.ts';
import type { ArchiveSearch } from './archive-search.ts';
import { explainEntry } from './explain-report.ts';
import { newestFirst } from './newest-first.ts';
import type { Recall, RecallQuery } from './recall.ts';
import { ResultPages } from './result-pages.ts';

interface Parts {
  readonly store: Store;
  readonly recall: Recall;
  readonly archive: ArchiveSearch;
  readonly uses: Uses;
  readonly settings: Pick<ServiceSettings, 'defaultMode'>;
  /** The limit of a request or its default. Throws `invalid_input` if it is too large. */
  readonly limitOf: (limit: number | undefined) => number;
}

/** Runs a search, adds archived matches, and counts the use. */
export class Searching {
  readonly #parts: Parts;
  readonly #pages: ResultPages;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pages = new ResultPages(parts.store, parts.recall);
  }

  async find(request: RecallRequest | SearchRequest, filter: EntryFilter, { source = 'api', signal }: CallOptions): Promise<SearchResults> {
    const { uses } = this.#parts;
    const started = performance.now();
    const { countUse, maxContentChars } = request;
    const wanted = this.#wanted(request, filter, signal);
    const found = await this.#found(request, { ...wanted, collapse: request.collapse, explain: request.explain });
    const entries = found.results.map(({ entry }) => entry);
    uses.note({ entries, source, namespace: filter.namespaces?.[0], ms: performance.now() - started, countUse });
    if (maxContentChars === undefined) return { query: request.query, mode: wanted.mode, ...found };
    const results = found.results.map((each) => ({ ...each, entry: withContentLimit(each.entry, maxContentChars) }));
    return { query: request.query, mode: wanted.mode, ...found, results };
  }

  async #found(request: RecallRequest | SearchRequest, wanted: RecallQuery): Promise<Omit<SearchResults, 'query' | 'mode'>> {
    const { recall, archive } = this.#parts;
    const { includeArchived = false, newerFirst = false } = request;
    const ordered = (found: readonly ScoredEntry[]): readonly ScoredEntry[] =>
      newerFirst ? newestFirst(found, found).map(({ newer: _newer, ...each }) => each) : found;
    if (!('offset' in request) || request.offset === undefined) {
      return await archive.addTo(ordered(await recall.find(wanted)), wanted, includeArchived);
    }
    const archived = includeArchived ? await archive.find(wanted) : [];
    const { results, ...counts } = await this.#pages.page({ wanted, offset: request.offset, archived });
    return { results: ordered(results), ...counts };
  }

  explain(entry: Entry, request: SearchRequest, filter: EntryFilter, signal: AbortSignal | undefined): Promise<ExplainReport> {
    return explainEntry(this.#parts.recall, entry, this.#wanted(request, filter, signal));
  }

  close(): void {
    this.#parts.archive.close();
  }

  #wanted(
    { query, searchMode, limit, minScore }: Pick<SearchRequest, 'query' | 'searchMode' | 'limit' | 'minScore'>,
    filter: EntryFilter,
    signal: AbortSignal | undefined,
  ): RecallQuery {
    const { settings, limitOf } = this.#parts;
    return { query, mode: searchMode ?? settings.defaultMode, filter, limit: limitOf(limit), minScore, signal };
  }
}
