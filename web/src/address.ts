import { useEffect, useState } from 'preact/hooks';
import type { SearchMode } from '../../src/memory/entry.ts';

export const VIEWS = ['search', 'save', 'stats'] as const;
export type View = (typeof VIEWS)[number];
export const MODES = ['hybrid', 'vector', 'keyword'] as const satisfies readonly SearchMode[];

/** What the page shows, as the address bar holds it. Empty text means "not set"; every field has a default and then leaves the address. */
export interface Address {
  readonly view: View;
  readonly q: string;
  readonly mode: SearchMode;
  /** Namespace filter; empty for all. */
  readonly ns: string;
  readonly tags: readonly string[];
  /** Whether every result says what counted for it. */
  readonly explain: boolean;
  /** The entry whose details are open. */
  readonly id: string;
}

export const START: Address = { view: 'search', q: '', mode: 'hybrid', ns: '', tags: [], explain: false, id: '' };

const among = <T extends string>(known: readonly T[], text: string | null): T | undefined => known.find((word) => word === text);

/** Reads the query part of an address. Unknown words fall back to the default. */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  return {
    view: among(VIEWS, query.get('view')) ?? START.view,
    q: query.get('q') ?? '',
    mode: among(MODES, query.get('mode')) ?? START.mode,
    ns: query.get('ns') ?? '',
    tags: [...new Set(query.getAll('tag').filter((tag) => tag !== ''))],
    explain: query.get('explain') === '1',
    id: query.get('id') ?? '',
  };
}

/** The shortest address that `readAddress` reads back to the same value. */
export function writeAddress(address: Address): string {
  const query = new URLSearchParams();
  if (address.view !== START.view) query.set('view', address.view);
  if (address.q !== '') query.set('q', address.q);
  if (address.mode !== START.mode) query.set('mode', address.mode);
  if (address.ns !== '') query.set('ns', address.ns);
  for (const tag of address.tags) query.append('tag', tag);
  if (address.explain) query.set('explain', '1');
  if (address.id !== '') query.set('id', address.id);
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

let current = readAddress(location.search);
const listeners = new Set<(address: Address) => void>();

function tell(address: Address): void {
  current = address;
  for (const listener of listeners) listener(address);
}
addEventListener('popstate', () => tell(readAddress(location.search)));

/** The view at this moment, for what does not render. */
export const currentView = (): View => current.view;

/** Goes to another state of the page. `replace` leaves no step for the back button: for what changes while typing. */
export function go(patch: Partial<Address>, options: { replace?: boolean } = {}): void {
  const next = { ...current, ...patch };
  const url = writeAddress(next);
  if (url === writeAddress(current)) return;
  if (options.replace === true) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  tell(next);
}

/** The address, re-rendering when it changes. */
export function useAddress(): Address {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    setAddress(current);
    listeners.add(setAddress);
    return () => void listeners.delete(setAddress);
  }, []);
  return address;
}
