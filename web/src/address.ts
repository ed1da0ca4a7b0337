import { useEffect, useState } from 'preact/hooks';
import type { ListSort, SearchMode } from '../../src/memory/entry.ts';
import type { GrowthRange } from '../../src/memory/operations/statistics-operations.ts';
import { LIST_SORTS, PRIORITIES, SOURCES, type Priority, type Source } from '../../src/memory/vocabulary.ts';

export const VIEWS = ['memories', 'graph', 'save', 'stats', 'admin'] as const;
export type View = (typeof VIEWS)[number];
export const MODES = ['hybrid', 'vector', 'keyword'] as const satisfies readonly SearchMode[];
const SHAPES = ['list', 'timeline', 'graph'] as const;
type Shape = (typeof SHAPES)[number] | '';
export const DEPTHS = ['1', '2', '3'] as const;
type Depth = (typeof DEPTHS)[number];

/** How one field of the address is written in its query. A field at its start is left out. */
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
/** A number from 0 to 1; undefined where it is not set. */
const ratio = (name: string): Field<number | undefined> => ({
  name,
  start: undefined,
  read: ([first = '']) => (/^(?:0|1|0?\.\d{1,3}|1\.0+)$/.test(first) ? Number(first) : undefined),
  write: (value) => (value === undefined ? [] : [String(value)]),
});
/** A day as `2026-01-31`; empty where it is not set. */
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
  /** Entries must carry all of these. */
  tags: list('tag'),
  priority: word<Priority | ''>('priority', [...PRIORITIES, ''], ''),
  source: word<Source | ''>('source', [...SOURCES, ''], ''),
  /** Least and greatest importance. */
  min: ratio('min'),
  max: ratio('max'),
  /** First and last day of saving, in the time zone of the browser. */
  from: day('from'),
  to: day('to'),
  /** Whether every result says what counted for it. */
  explain: flag('explain'),
  /** Whether archived entries are among the results. */
  archived: flag('archived'),
  sort: word<ListSort>('sort', LIST_SORTS, '-createdAt'),
  /** How the view draws what it shows; empty for its own way. */
  as: word<Shape>('as', [...SHAPES, ''], ''),
  /** How far back the growth goes; empty for what fits the age of the store. */
  range: word<GrowthRange | ''>('range', ['30d', '12m', 'all', ''], ''),
  /** The part of the view, such as a section of the administration. */
  part: text('part'),
  /** Of the archive: why entries went, what took them, and the page, counted from 0. */
  reason: text('reason'),
  run: text('run'),
  page: text('page'),
  /** The entry around which the graph is drawn; empty for a namespace. */
  seed: text('seed'),
  /** How many relations away from it. */
  depth: word<Depth>('depth', DEPTHS, '2'),
  /** Relations that are weaker are not drawn. */
  strength: ratio('strength'),
  /** Types of relation that are not drawn. */
  hide: list('hide'),
  /** The entry whose details are open. */
  id: text('id'),
};

/** What the page shows, as the address bar holds it. Every field has a start and is left out of the address there. */
export type Address = { readonly [K in keyof typeof FIELDS]: (typeof FIELDS)[K]['start'] };
/** The fields that say which entries are looked at. */
export type Filter = Pick<Address, 'ns' | 'container' | 'tags' | 'priority' | 'source' | 'min' | 'max' | 'from' | 'to'>;

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
const startOf = <K extends keyof Address>(names: readonly K[]): Pick<Address, K> =>
  Object.fromEntries(names.map((name) => [name, FIELDS[name].start])) as unknown as Pick<Address, K>;

const OPTIONS_NAME = 'lore.options';
/** How a search works. */
type Options = Pick<Address, 'mode' | 'explain'>;

/** The options that this browser chose last; where it keeps nothing, those that the page begins with. */
function rememberedOptions(): Options {
  let kept = '';
  try {
    kept = localStorage.getItem(OPTIONS_NAME) ?? '';
  } catch {
    // A browser may refuse to keep anything.
  }
  const query = new URLSearchParams(kept);
  return { mode: FIELDS.mode.read(query.getAll('mode')), explain: FIELDS.explain.read(query.getAll('explain')) };
}

/** Where everything begins, with the options that were chosen last. */
export let START: Address = { ...startOf(NAMES), ...rememberedOptions() };
/** Every entry. */
export const NO_FILTER: Filter = startOf(['ns', 'container', 'tags', 'priority', 'source', 'min', 'max', 'from', 'to']);

/** Which entries the address is about. */
export const filterOf = ({ ns, container, tags, priority, source, min, max, from, to }: Address): Filter => ({
  ns,
  container,
  tags,
  priority,
  source,
  min,
  max,
  from,
  to,
});

/** Whether it leaves any entry out. */
export const isFiltered = (filter: Filter): boolean =>
  (Object.keys(NO_FILTER) as (keyof Filter)[]).some((name) => FIELDS[name].write(filter[name] as never).length > 0);

/** Reads the query part of an address. Unknown words fall back to the start. An address that says nothing has the options chosen last. */
export function readAddress(search: string): Address {
  if (search === '') return START;
  const query = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].read(query.getAll(FIELDS[name].name))])) as unknown as Address;
}

/** The shortest address that `readAddress` reads back to the same value. */
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

/** Where one entry is shown, for other pages and programs. */
export const linkTo = (id: string): string => new URL(writeAddress({ ...startOf(NAMES), id }), location.href).href;

let current = readAddress(location.search);
// The list of memories was a view of its own: addresses of it are around.
if (new URLSearchParams(location.search).get('view') === 'browse') history.replaceState(null, '', writeAddress(current));
const listeners = new Set<(address: Address) => void>();

function tell(address: Address): void {
  current = address;
  for (const listener of listeners) listener(address);
}
addEventListener('popstate', () => tell(readAddress(location.search)));

/** The address at this moment, for what does not render. */
export const currentAddress = (): Address => current;

/** Goes to another state of the page. `replace` leaves no step for the back button: for what changes while typing. */
export function go(patch: Partial<Address>, options: { replace?: boolean } = {}): void {
  const next = { ...current, ...patch };
  const url = writeAddress(next);
  if (url === writeAddress(current)) return;
  if (options.replace === true) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  tell(next);
}

/** Searches with these options from now on. */
export function chooseOptions(options: Partial<Options>): void {
  START = { ...START, ...options };
  const { mode, explain } = { ...current, ...options };
  const kept = new URLSearchParams({ mode, explain: explain ? '1' : '' });
  try {
    localStorage.setItem(OPTIONS_NAME, kept.toString());
  } catch {
    // They are kept as long as the page then.
  }
  go(options, { replace: true });
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
