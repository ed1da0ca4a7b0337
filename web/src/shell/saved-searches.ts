import { writeAddress, type Address } from '../address.ts';
import { watched } from '../parts/watched.ts';

interface SavedSearch {
  readonly name: string;
  readonly href: string;
}

const STORAGE_NAME = 'lore.saved-searches';
const MOST = 20;

const isSaved = (value: unknown): value is SavedSearch =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'href' in value &&
  typeof value.name === 'string' &&
  typeof value.href === 'string';

function read(): readonly SavedSearch[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_NAME) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isSaved) : [];
  } catch {
    return [];
  }
}

const searches = watched(read());
/** Newest first. */
export const savedSearches = searches.get;
/** The saved searches; re-renders when they change. */
export const useSavedSearches = searches.use;

function keep(wanted: readonly SavedSearch[]): void {
  const kept = wanted.slice(0, MOST);
  try {
    localStorage.setItem(STORAGE_NAME, JSON.stringify(kept));
  } catch {
    // The browser may refuse storage: they last as long as the page.
  }
  searches.set(kept);
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
