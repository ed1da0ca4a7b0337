import type { HealthAnswer, ListAnswer, Memory, NamespacesAnswer, Priority, SaveAnswer, SearchAnswer, SearchMode, Stats } from './forms.ts';
import { request, type RequestOptions } from './request.ts';

export { ApiError } from './request.ts';

export interface Scope {
  /** Empty for all. */
  readonly namespace: string;
  /** Entries must carry all of these. */
  readonly tags: readonly string[];
}

export interface SearchWish extends Scope {
  readonly query: string;
  readonly mode: SearchMode;
  readonly limit: number;
  /** Each result then says what counted for it. */
  readonly explain: boolean;
}

export interface ListWish extends Scope {
  readonly limit: number;
  readonly offset: number;
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
function call<T>(path: string, options: RequestOptions & { query?: URLSearchParams } = {}): Promise<T> {
  const { query = new URLSearchParams(), ...rest } = options;
  query.set('form', 'reference');
  return request(`${path}?${query}`, { ...rest, headers: { 'x-lore-source': 'web' } });
}

/** Best first. One namespace is a recall, all of them a search. Safe to repeat. */
export function search(wish: SearchWish, signal?: AbortSignal): Promise<SearchAnswer> {
  const { query, limit, namespace } = wish;
  const body = {
    query,
    limit,
    searchMode: wish.mode,
    ...(wish.tags.length > 0 && { tags: wish.tags }),
    ...(wish.explain && { explain: true }),
  };
  if (namespace === '') return call('/api/search', { method: 'POST', body, signal });
  return call('/api/recall', { method: 'POST', body: { ...body, namespace }, signal });
}

/** Newest first. Safe to repeat. */
export function list(wish: ListWish, signal?: AbortSignal): Promise<ListAnswer> {
  const query = new URLSearchParams({ limit: String(wish.limit), offset: String(wish.offset) });
  if (wish.namespace === '') query.set('allNamespaces', 'true');
  else query.set('namespace', wish.namespace);
  if (wish.tags.length > 0) query.set('tags', wish.tags.join(','));
  return call('/api/list', { query, signal });
}

/** One entry; rejects with status 404 for an id that names nothing. */
export async function entry(id: string, signal?: AbortSignal): Promise<Memory> {
  const answer = await call<{ entry: Memory }>(`/api/${encodeURIComponent(id)}`, { signal });
  return answer.entry;
}

/** Repeating it stores nothing twice: the second receipt says `duplicate`. */
export function save(wish: SaveWish, signal?: AbortSignal): Promise<SaveAnswer> {
  const { content, tags, priority } = wish;
  const body = {
    content,
    priority,
    ...(tags.length > 0 && { tags }),
    ...(wish.global ? { global: true } : wish.namespace !== '' && { namespace: wish.namespace }),
    ...(wish.container !== '' && { container: wish.container }),
  };
  return call('/api/save', { method: 'POST', body, signal });
}

/** Removes an entry for good; rejects with status 404 where it is gone already. */
export async function forget(id: string): Promise<void> {
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
