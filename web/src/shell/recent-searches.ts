import { useEffect } from 'preact/hooks';
import { useAddress } from '../address.ts';

const STORAGE_NAME = 'lore.searches';
const MOST = 8;
/** A query unchanged for this long counts as a search. */
const SETTLED_MS = 1_500;

/** Recent searches of this tab, newest first. Like the key, they disappear with the tab. */
export function recentSearches(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Forgets them together with the key of this tab. */
export const forgetSearches = (): void => sessionStorage.removeItem(STORAGE_NAME);

function keep(query: string): void {
  // A prefix of this query is not listed separately.
  const others = recentSearches().filter((one) => !query.startsWith(one));
  sessionStorage.setItem(STORAGE_NAME, JSON.stringify([query, ...others].slice(0, MOST)));
}

export function useRecentSearches(): void {
  const { view, q } = useAddress();
  const query = q.trim();
  useEffect(() => {
    if (view !== 'memories' || query === '') return;
    const timer = setTimeout(() => keep(query), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [view, query]);
}
