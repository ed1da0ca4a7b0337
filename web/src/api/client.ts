import type { HealthAnswer, ListAnswer, Memory, NamespacesAnswer, Priority, SaveAnswer, SearchAnswer, SearchMode, Stats } from './forms.ts';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { Filter } from '../address.ts';
import { listQuery, searchFilter } from './conditions.ts';
import { callsOf } from '../../../src/client/group-calls.ts';
import * as routes from '../../../src/client/routes.ts';
import { quiet, transport } from './request.ts';

export { ApiError } from './request.ts';

/** Of each memory in a list or among results: what a row can show. Most memories are shorter. */
const LISTED_CHARS = 1500;

interface SearchWish {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  /** Each result then says what counted for it. */
  readonly explain: boolean;
  readonly filter: Filter;
  /** Also archived entries. */
  readonly archived?: boolean;
  /** Given, it asks for a page, and for how many there are in all. */
  readonly offset?: number;
}

interface ListWish {
  readonly filter: Filter;
  readonly limit: number;
  readonly offset: number;
  /** Default newest first. */
  readonly sort?: ListSort;
}

export interface SaveWish {
  readonly content: string;
  readonly tags: readonly string[];
  /** Left out where empty: the server then finds one. */
  readonly namespace: string;
  readonly container: string;
  readonly priority: Priority;
  /** Left out where undefined: it then follows from the priority. */
  readonly importance?: number | undefined;
  readonly global: boolean;
}

/** The operations of the server, as every client has them. */
export const lore = {
  memories: callsOf<'memories'>(routes.memories, transport),
  bulk: callsOf<'bulk'>(routes.bulk, transport),
  details: callsOf<'details'>(routes.details, transport),
  lifecycle: callsOf<'lifecycle'>(routes.lifecycle, transport),
  moves: callsOf<'moves'>(routes.moves, transport),
  relations: callsOf<'relations'>(routes.relations, transport),
};

interface CallOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly query?: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
  /** False for what runs in the background: a missing key is then an error, not a question. Default true. */
  readonly askForKey?: boolean;
  /** It may take as long as it needs. */
  readonly unlimited?: boolean;
}

/** An answer as it is on the wire: times are ISO 8601. */
export function call<T>(route: string, { method = 'GET', query, askForKey, ...options }: CallOptions = {}): Promise<T> {
  return (askForKey === false ? quiet : transport).json<T>(method, route, {
    ...options,
    ...(query && { query: Object.fromEntries(query) }),
  });
}

/** Best first, of each the beginning. Safe to repeat. A search as you type is no use of what it finds: see `markUsed`. */
export function search({ query, limit, offset, mode, explain, filter, archived }: SearchWish, signal?: AbortSignal): Promise<SearchAnswer> {
  // What is in the archive cannot be asked for alone.
  const lot = archived === true ? { includeArchived: true } : { maxContentChars: LISTED_CHARS };
  const extras = { ...(explain && { explain: true }), ...(offset !== undefined && { offset }), ...lot };
  const body = { query, limit, searchMode: mode, ...searchFilter(filter), ...extras, countUse: false };
  return call('search', { method: 'POST', body, signal });
}

/** One page of what passes the filter, of each memory the beginning, and how much does in all. Safe to repeat. */
export function list({ filter, limit, offset, sort }: ListWish, signal?: AbortSignal): Promise<ListAnswer> {
  const query = listQuery(filter);
  query.set('limit', String(limit));
  query.set('offset', String(offset));
  query.set('maxContentChars', String(LISTED_CHARS));
  if (sort !== undefined) query.set('sort', sort);
  return call('list', { query, signal });
}

/** Whether a list gave all of it. */
export const isWhole = ({ metadata }: Memory): boolean => metadata.contentLength === undefined;

/** All of a memory from a list, fetched where the list gave its beginning. */
export const whole = async (memory: Memory, signal?: AbortSignal): Promise<Memory> =>
  isWhole(memory) ? memory : await entry(memory.id, signal);

/** One entry; rejects with status 404 for an id that names nothing. */
export async function entry(id: string, signal?: AbortSignal): Promise<Memory> {
  const answer = await call<{ entry: Memory }>(encodeURIComponent(id), { signal });
  return answer.entry;
}

/** Counts that a person opened or copied a result. Nothing waits for it, and where it fails nothing is lost but the count. */
export function markUsed(id: string): void {
  call(`${encodeURIComponent(id)}/use`, { method: 'POST', body: {}, askForKey: false }).catch(() => undefined);
}

interface SaveOptions {
  /** Id of the memory whose place this one takes. */
  readonly supersedes?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Repeating it stores nothing twice: the second receipt says `duplicate`. */
export function save(wish: SaveWish, { supersedes, signal }: SaveOptions = {}): Promise<SaveAnswer> {
  const { content, tags, priority, importance } = wish;
  const body = {
    content,
    priority,
    near: true,
    ...(importance !== undefined && { importance }),
    ...(tags.length > 0 && { tags }),
    ...(wish.global ? { global: true } : wish.namespace !== '' && { namespace: wish.namespace }),
    ...(wish.container !== '' && { container: wish.container }),
    ...(supersedes !== undefined && { supersedes: [supersedes] }),
  };
  return call('save', { method: 'POST', body, signal });
}

/** Removes an entry for good; rejects with status 404 where it is gone already. */
export async function remove(id: string): Promise<void> {
  await lore.memories.forget(id);
}

/** Most entries first. */
export async function namespaces(signal?: AbortSignal): Promise<NamespacesAnswer['namespaces']> {
  const answer = await call<NamespacesAnswer>('namespaces', { signal });
  return answer.namespaces.toSorted((a, b) => b.entries - a.entries);
}

export const stats = (signal?: AbortSignal): Promise<Stats> => call('stats', { signal });

/** In the background it never asks for a key. */
export const health = (options: { background?: boolean; signal?: AbortSignal } = {}): Promise<HealthAnswer> =>
  call('health', { signal: options.signal, askForKey: options.background !== true });
