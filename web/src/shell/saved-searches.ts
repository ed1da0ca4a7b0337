import { useEffect, useState } from 'preact/hooks';
import { writeAddress, type Address } from '../address.ts';

interface SavedSearch {
  readonly name: string;
  readonly href: string;
}

const STORAGE_NAME = 'lore.saved-searches';
const MOST = 20;
const listeners = new Set<() => void>();

const isSaved = (value: unknown): value is SavedSearch =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'href' in value &&
  typeof value.name === 'string' &&
  typeof value.href === 'string';

/** Newest first. */
export function savedSearches(): readonly SavedSearch[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSaved) : [];
  } catch {
    return [];
  }
}

function keep(searches: readonly SavedSearch[]): void {
  try {
    localStorage.setItem(STORAGE_NAME, JSON.stringify(searches.slice(0, MOST)));
  } catch {
    // The browser may refuse storage.
  }
  for (const listener of listeners) listener();
}

/** The address of a search without open details. */
export const hrefOf = (address: Address): string => writeAddress({ ...address, view: 'memories', id: '' });

/** Saves a search under a name, or removes a saved one. */
export function toggleSearch(search: SavedSearch): void {
  const others = savedSearches().filter(({ href }) => href !== search.href);
  keep(others.length < savedSearches().length ? others : [search, ...others]);
}

/** Removes all of them together with the key of this tab. */
export const forgetSavedSearches = (): void => keep([]);

/** The saved searches; re-renders when they change. */
export function useSavedSearches(): readonly SavedSearch[] {
  const [searches, setSearches] = useState(savedSearches);
  useEffect(() => {
    const changed = (): void => setSearches(savedSearches());
    listeners.add(changed);
    return () => void listeners.delete(changed);
  }, []);
  return searches;
}
