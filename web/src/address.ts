import { watched } from './parts/watched.ts';
import type { ListSort, SearchMode } from '../../src/memory/entry.ts';
import type { GrowthRange } from '../../src/memory/operations/statistics-operations.ts';
import { ENTRY_KINDS, LIST_SORTS, PRIORITIES, SOURCES, type EntryKind, type Priority, type Source } from '../../src/memory/vocabulary.ts';

const VIEWS = ['memories', 'graph', 'save', 'organize', 'stats', 'admin'] as const;
export type View = (typeof VIEWS)[number];
export const MODES = ['hybrid', 'vector', 'keyword'] as const satisfies readonly SearchMode[];
const SHAPES = ['list', 'timeline', 'graph'] as const;
type Shape = (typeof SHAPES)[number] | '';
export const DEPTHS = ['1', '2', '3'] as const;
type Depth = (typeof DEPTHS)[number];

/** How a field of the address is written in the query string. Default values are omitted. */
interface Field<T> {
  readonly start: T;
  readonly name: string;
  readonly read: (texts: readonly string[]) => T;
  readonly write: (value: T) => readonly string[];
}

const text = (name: string): Field<string> => ({
  name,
  start: '',
  read: ([first = '']) => first,
  write: (value) => (value === '' ? [] : [value]),
});
const list = (name: string): Field<readonly string[]> => ({
  name,
  start: [],
  read: (all) => [...new Set(all.filter((one) => one !== ''))],
  write: (value) => value,
});
const flag = (name: string): Field<boolean> => ({
  name,
  start: false,
  read: ([first]) => first === '1',
  write: (value) => (value ? ['1'] : []),
});
const word = <T extends string>(name: string, known: readonly T[], start: T): Field<T> => ({
  name,
  start,
  read: ([first]) => known.find((one) => one === first) ?? start,
  write: (value) => (value === start ? [] : [value]),
});
/** A number from 0 to 1; undefined if not set. */
const ratio = (name: string): Field<number | undefined> => ({
  name,
  start: undefined,
  read: ([first = '']) => (/^(?:0|1|0?\.\d{1,3}|1\.0+)$/.test(first) ? Number(first) : undefined),
  write: (value) => (value === undefined ? [] : [String(value)]),
});
/** A day such as `2026-01-31`; empty if not set. */
const day = (name: string): Field<string> => ({
  ...text(name),
  read: ([first = '']) => (/^\d{4}-\d\d-\d\d$/.test(first) && !Number.isNaN(Date.parse(first)) ? first : ''),
});

const FIELDS = {
  view: word<View>('view', VIEWS, 'memories'),
  q: text('q'),
  mode: word<SearchMode>('mode', MODES, 'hybrid'),
  /** Namespace; empty for all. */
  ns: text('ns'),
  container: text('container'),
  /** Entries must have all of these tags. */
  tags: list('tag'),
  priority: word<Priority | ''>('priority', [...PRIORITIES, ''], ''),
  source: word<Source | ''>('source', [...SOURCES, ''], ''),
  kind: word<EntryKind | ''>('kind', [...ENTRY_KINDS, ''], ''),
  /** Minimum and maximum importance. */
  min: ratio('min'),
  max: ratio('max'),
  /** First and last day of saving, in the time zone of the browser. */
  from: day('from'),
  to: day('to'),
  /** Whether every result is explained. */
  explain: flag('explain'),
  /** Whether archived entries are included. */
  archived: flag('archived'),
  sort: word<ListSort>('sort', LIST_SORTS, '-createdAt'),
  /** Layout of the view; empty for the view's default. */
  as: word<Shape>('as', [...SHAPES, ''], ''),
  /** Range of the growth chart; empty for a range that fits the age of the store. */
  range: word<GrowthRange | ''>('range', ['30d', '12m', 'all', ''], ''),
  /** Part of the view, such as a section of the administration. */
  part: text('part'),
  /** Name whose memories are listed. */
  name: text('name'),
  /** Filters of the archive: reason, run, and page, counted from 0. */
  reason: text('reason'),
  run: text('run'),
  page: text('page'),
  /** Entry at the center of the graph; empty for a namespace. */
  seed: text('seed'),
  /** Depth of the graph around it. */
  depth: word<Depth>('depth', DEPTHS, '2'),
  /** Minimum strength of drawn relations. */
  strength: ratio('strength'),
  /** Hidden relation types. */
  hide: list('hide'),
  /** The entry with open details. */
  id: text('id'),
};

/** The state of the page as the address bar holds it. Fields with default values are omitted. */
export type Address = { readonly [K in keyof typeof FIELDS]: (typeof FIELDS)[K]['start'] };
const FILTER_NAMES = ['ns', 'container', 'tags', 'priority', 'source', 'kind', 'min', 'max', 'from', 'to'] as const;
/** The fields that select entries. */
export type Filter = Pick<Address, (typeof FILTER_NAMES)[number]>;

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
const startOf = <K extends keyof Address>(names: readonly K[]): Pick<Address, K> =>
  Object.fromEntries(names.map((name) => [name, FIELDS[name].start])) as Pick<Address, K>;

const OPTIONS_NAME = 'lore.options';
type Options = Pick<Address, 'mode' | 'explain'>;

/** The options last used in this browser; the defaults if it stores nothing. */
function rememberedOptions(): Options {
  let kept = '';
  try {
    kept = localStorage.getItem(OPTIONS_NAME) ?? '';
  } catch {
    // The browser may refuse storage.
  }
  const query = new URLSearchParams(kept);
  return { mode: FIELDS.mode.read(query.getAll('mode')), explain: FIELDS.explain.read(query.getAll('explain')) };
}

/** The start state, with the stored search options. */
export let START: Address = { ...startOf(NAMES), ...rememberedOptions() };
/** A filter that matches every entry. */
export const NO_FILTER: Filter = startOf(FILTER_NAMES);

export const filterOf = (address: Address): Filter => Object.fromEntries(FILTER_NAMES.map((name) => [name, address[name]])) as Filter;

export const isFiltered = (filter: Filter): boolean => FILTER_NAMES.some((name) => FIELDS[name].write(filter[name] as never).length > 0);

/** Parses the query string. Unknown values become defaults. Without any field the stored search options apply. */
export function readAddress(search: string): Address {
  if (search === '') return START;
  const query = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].read(query.getAll(FIELDS[name].name))])) as Address;
}

/** The shortest query string that `readAddress` reads back to the same state. */
export function writeAddress(address: Address): string {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    if (address.view !== 'memories' && (name === 'mode' || name === 'explain')) continue;
    const { write, name: key } = FIELDS[name] as Field<Address[typeof name]>;
    for (const one of write(address[name])) query.append(key, one);
  }
  const written = query.toString();
  return written === '' ? '/' : `/?${written}`;
}

/** The URL of one entry, for other pages and programs. */
export const linkTo = (id: string): string => new URL(writeAddress({ ...startOf(NAMES), id }), location.href).href;

const address = watched(readAddress(location.search));
// Old addresses of the former list view still exist.
if (new URLSearchParams(location.search).get('view') === 'browse') history.replaceState(null, '', writeAddress(address.get()));

addEventListener('popstate', () => address.set(readAddress(location.search)));

/** The current address, for code outside of rendering. */
export const currentAddress = address.get;

/** Navigates to another state. `replace` adds no history step: for changes while typing. */
export function go(patch: Partial<Address>, options: { replace?: boolean } = {}): void {
  const before = address.get();
  const next = { ...before, ...patch };
  const url = writeAddress(next);
  if (url === writeAddress(before)) return;
  if (options.replace === true) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  address.set(next);
}

/** Uses and stores these search options. */
export function chooseOptions(options: Partial<Options>): void {
  START = { ...START, ...options };
  const { mode, explain } = { ...address.get(), ...options };
  const kept = new URLSearchParams({ mode, explain: explain ? '1' : '' });
  try {
    localStorage.setItem(OPTIONS_NAME, kept.toString());
  } catch {
    // Without storage they last as long as the page.
  }
  go(options, { replace: true });
}

/** The address; re-renders when it changes. */
export const useAddress = address.use;
