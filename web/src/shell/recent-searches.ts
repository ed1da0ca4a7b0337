import { useEffect } from 'preact/hooks';
import { useAddress } from '../address.ts';

const STORAGE_NAME = 'lore.searches';
const MOST = 8;
/** A question that stands this long was meant. */
const SETTLED_MS = 1_500;

/** What was searched for in this tab, newest first. Like the key it is gone with the tab. */
export function recentSearches(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Forgets them, with the key of this tab. */
export const forgetSearches = (): void => sessionStorage.removeItem(STORAGE_NAME);

function keep(query: string): void {
  // What was typed on the way to this one is not worth a line of its own.
  const others = recentSearches().filter((one) => !query.startsWith(one));
  sessionStorage.setItem(STORAGE_NAME, JSON.stringify([query, ...others].slice(0, MOST)));
}

/** Remembers what is searched for. */
export function useRecentSearches(): void {
  const { view, q } = useAddress();
  const query = q.trim();
  useEffect(() => {
    if (view !== 'memories' || query === '') return;
    const timer = setTimeout(() => keep(query), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [view, query]);
}
