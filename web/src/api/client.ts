import type { HealthAnswer, ListAnswer, Memory, NamespacesAnswer, Priority, SaveAnswer, SearchAnswer, SearchMode, Stats } from './forms.ts';
import type { ListSort } from '../../../src/memory/entry.ts';
import type { Filter } from '../address.ts';
import { listQuery, searchFilter } from './conditions.ts';
import { request, type RequestOptions } from './request.ts';

export { ApiError } from './request.ts';

export interface SearchWish {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  /** Each result then says what counted for it. */
  readonly explain: boolean;
  readonly filter: Filter;
  /** Also archived entries. */
  readonly archived?: boolean;
}

export interface ListWish {
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
  readonly global: boolean;
}

/** The server can be configured to answer in another form; and it stamps what is saved here as saved by the page. */
export function call<T>(path: string, options: RequestOptions & { query?: URLSearchParams } = {}): Promise<T> {
  const { query = new URLSearchParams(), ...rest } = options;
  query.set('form', 'reference');
  return request(`${path}?${query}`, { ...rest, headers: { 'x-lore-source': 'web' } });
}

/** Best first. Safe to repeat. A search as you type is no use of what it finds: see `markUsed`. */
export function search({ query, limit, mode, explain, filter, archived }: SearchWish, signal?: AbortSignal): Promise<SearchAnswer> {
  const extras = { ...(explain && { explain: true }), ...(archived === true && { includeArchived: true }) };
  const body = { query, limit, searchMode: mode, ...searchFilter(filter), ...extras, countUse: false };
  return call('/api/search', { method: 'POST', body, signal });
}

/** One page of what passes the filter, and how much does in all. Safe to repeat. */
export function list({ filter, limit, offset, sort }: ListWish, signal?: AbortSignal): Promise<ListAnswer> {
  const query = listQuery(filter);
  query.set('limit', String(limit));
  query.set('offset', String(offset));
  if (sort !== undefined) query.set('sort', sort);
  return call('/api/list', { query, signal });
}

/** One entry; rejects with status 404 for an id that names nothing. */
export async function entry(id: string, signal?: AbortSignal): Promise<Memory> {
  const answer = await call<{ entry: Memory }>(`/api/${encodeURIComponent(id)}`, { signal });
  return answer.entry;
}

/** Counts that a person opened or copied a result. Nothing waits for it, and where it fails nothing is lost but the count. */
export function markUsed(id: string): void {
  call(`/api/${encodeURIComponent(id)}/use`, { method: 'POST', body: {}, askForKey: false }).catch(() => undefined);
}

interface SaveOptions {
  /** Id of the memory whose place this one takes. */
  readonly supersedes?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Repeating it stores nothing twice: the second receipt says `duplicate`. */
export function save(wish: SaveWish, { supersedes, signal }: SaveOptions = {}): Promise<SaveAnswer> {
  const { content, tags, priority } = wish;
  const body = {
    content,
    priority,
    near: true,
    ...(tags.length > 0 && { tags }),
    ...(wish.global ? { global: true } : wish.namespace !== '' && { namespace: wish.namespace }),
    ...(wish.container !== '' && { container: wish.container }),
    ...(supersedes !== undefined && { supersedes: [supersedes] }),
  };
  return call('/api/save', { method: 'POST', body, signal });
}

/** Removes an entry for good; rejects with status 404 where it is gone already. */
export async function remove(id: string): Promise<void> {
  await call(`/api/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Most entries first. */
export async function namespaces(signal?: AbortSignal): Promise<NamespacesAnswer['namespaces']> {
  const answer = await call<NamespacesAnswer>('/api/namespaces', { signal });
  return answer.namespaces.toSorted((a, b) => b.entries - a.entries);
}

export const stats = (signal?: AbortSignal): Promise<Stats> => call('/api/stats', { signal });

/** In the background it never asks for a key. */
export const health = (options: { background?: boolean; signal?: AbortSignal } = {}): Promise<HealthAnswer> =>
  call('/api/health', { signal: options.signal, askForKey: options.background !== true });
