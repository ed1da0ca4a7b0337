import type {
  HealthResponse,
  ListResponse,
  Memory,
  NamespaceSummary,
  Priority,
  SaveResponse,
  SearchResponse,
  SearchMode,
} from './responses.ts';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { Filter } from '../address.ts';
import { listRequest, searchFilter } from './conditions.ts';
import { wireCallsOf } from '../../../src/client/group-calls.ts';
import * as routes from '../../../src/client/routes.ts';
import { quiet, transport } from './request.ts';

export { ApiError } from './request.ts';

/** Maximum characters of each memory in a list: what a row can show. Most memories are shorter. */
const LISTED_CHARS = 1500;

interface SearchInput {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  readonly explain: boolean;
  readonly filter: Filter;
  readonly archived?: boolean;
  /** If given, requests a page and the total count. */
  readonly offset?: number;
}

interface ListInput {
  readonly filter: Filter;
  readonly limit: number;
  readonly offset: number;
  /** Default: newest first. */
  readonly sort?: ListSort;
}

export interface SaveInput {
  readonly content: string;
  readonly tags: readonly string[];
  /** Omitted if empty: the server then chooses. */
  readonly namespace: string;
  readonly container: string;
  readonly priority: Priority;
  /** Omitted if undefined: the importance then follows from the priority. */
  readonly importance?: number | undefined;
  readonly global: boolean;
}

/** The server's operations, as in every client. */
export const lore = {
  memories: wireCallsOf<'memories'>(routes.memories, transport),
  bulk: wireCallsOf<'bulk'>(routes.bulk, transport),
  details: wireCallsOf<'details'>(routes.details, transport),
  lifecycle: wireCallsOf<'lifecycle'>(routes.lifecycle, transport),
  moves: wireCallsOf<'moves'>(routes.moves, transport),
  relations: wireCallsOf<'relations'>(routes.relations, transport),
};

interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly query?: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
  /** False for background requests: a missing key is then an error and opens no dialog. Default true. */
  readonly askForKey?: boolean;
  readonly unlimited?: boolean;
}

/** A response on the wire: times are ISO 8601. */
export function call<T>(route: string, { method = 'GET', query, askForKey, ...options }: CallOptions = {}): Promise<T> {
  return (askForKey === false ? quiet : transport).json<T>(method, route, {
    ...options,
    ...(query && { query: Object.fromEntries(query) }),
  });
}

/** Searches, best first, with the beginning of each memory. A search while typing does not count as use; see `markUsed`. */
export function search(
  { query, limit, offset, mode, explain, filter, archived }: SearchInput,
  signal?: AbortSignal,
): Promise<SearchResponse> {
  // Archived entries cannot be searched alone.
  const lot = archived === true ? { includeArchived: true } : { maxContentChars: LISTED_CHARS };
  const extras = { ...(explain && { explain: true }), ...(offset !== undefined && { offset }), ...lot };
  const body = { query, limit, searchMode: mode, ...searchFilter(filter), ...extras, countUse: false };
  return call('search', { method: 'POST', body, signal });
}

/** One page of matching memories (beginnings), and the total count. */
export function list({ filter, limit, offset, sort }: ListInput, signal?: AbortSignal): Promise<ListResponse> {
  const part = { limit, offset, maxContentChars: LISTED_CHARS, ...(sort !== undefined && { sort }) };
  return lore.memories.list({ ...listRequest(filter), ...part }, { signal });
}

/** Whether a list contains the whole text of a memory. */
export const isComplete = ({ metadata }: Memory): boolean => metadata.contentLength === undefined;

/** The whole memory, fetched if the list has only its beginning. */
export const fetchWhole = async (memory: Memory, signal?: AbortSignal): Promise<Memory> =>
  isComplete(memory) ? memory : await lore.memories.get(memory.id, { signal });

/** Counts that the user opened or copied a result. Nothing waits for it; a failure is ignored. */
export function markUsed(id: string): void {
  call(`${encodeURIComponent(id)}/use`, { method: 'POST', body: {}, askForKey: false }).catch(() => undefined);
}

/** Saves a memory, instead of `supersedes` if that is given. A repeated save stores nothing; its receipt says `duplicate`. */
export function save(input: SaveInput, { supersedes }: { readonly supersedes?: string | undefined } = {}): Promise<SaveResponse> {
  const { content, tags, priority, importance } = input;
  const body = {
    content,
    priority,
    near: true,
    ...(importance !== undefined && { importance }),
    ...(tags.length > 0 && { tags }),
    ...(input.global ? { global: true } : input.namespace !== '' && { namespace: input.namespace }),
    ...(input.container !== '' && { container: input.container }),
    ...(supersedes !== undefined && { supersedes: [supersedes] }),
  };
  return call('save', { method: 'POST', body });
}

/** Namespaces, largest first. */
export async function namespaces(signal?: AbortSignal): Promise<readonly NamespaceSummary[]> {
  return (await lore.memories.namespaces({ signal })).toSorted((a, b) => b.entries - a.entries);
}

/** Loads the health. In the background it never asks for a key. */
export const health = (options: { background?: boolean; signal?: AbortSignal } = {}): Promise<HealthResponse> =>
  call('health', { signal: options.signal, askForKey: options.background !== true });
