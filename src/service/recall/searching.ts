import type { Entry, EntryFilter } from '../../memory/entry.ts';
import type { CallOptions, ExplainReport, RecallRequest, SearchRequest, SearchResults } from '../../memory/operations/operations.ts';
import { shortened } from '../../memory/shortened.ts';
import type { Uses } from '../lifecycle/uses.ts';
import type { ServiceSettings } from '../service-settings.ts';
import type { ArchiveSearch } from './archive-search.ts';
import { explainEntry } from './explain-report.ts';
import { newestFirst } from './newest-first.ts';
import type { Recall, Wanted } from './recall.ts';

interface Parts {
  readonly recall: Recall;
  readonly archive: ArchiveSearch;
  readonly uses: Uses;
  readonly settings: Pick<ServiceSettings, 'defaultMode'>;
  /** The limit of a request or its default. Throws `invalid_input` where it is above the largest. */
  readonly limitOf: (limit: number | undefined) => number;
}

/** Runs a search, adds archived matches, and counts the use. */
export class Searching {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async find(request: RecallRequest | SearchRequest, filter: EntryFilter, { source = 'api', signal }: CallOptions): Promise<SearchResults> {
    const { recall, archive, uses } = this.#parts;
    const started = performance.now();
    const { collapse, explain, includeArchived, countUse, newerFirst, maxContentChars } = request;
    const wanted = this.#wanted(request, filter, signal);
    const live = await recall.find({ ...wanted, collapse, explain });
    const ordered = newerFirst === true ? newestFirst(live, live).map(({ newer: _newer, ...each }) => each) : live;
    const found = await archive.addTo(ordered, { ...wanted, explain }, includeArchived);
    const entries = found.results.map(({ entry }) => entry);
    uses.note({ entries, source, namespace: filter.namespaces?.[0], ms: performance.now() - started, countUse });
    if (maxContentChars === undefined) return { query: request.query, mode: wanted.mode, ...found };
    const results = found.results.map((each) => ({ ...each, entry: shortened(each.entry, maxContentChars) }));
    return { query: request.query, mode: wanted.mode, ...found, results };
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
  ): Wanted {
    const { settings, limitOf } = this.#parts;
    return { query, mode: searchMode ?? settings.defaultMode, filter, limit: limitOf(limit), minScore, signal };
  }
}
