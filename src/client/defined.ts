import type { CallOptions } from '../memory/operations/operations.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import type { GroupOf } from '../operations/table.ts';
import { ROUTES } from './routes.ts';
import type { Query, Transport } from './transport.ts';

/** What a client must know of an operation; made from its definition. */
interface Route {
  readonly method: string;
  /** Below `/api/`; with `:id` the id is the first argument. */
  readonly path: string;
  /** The method takes no request. */
  readonly bare?: true;
  /** Member of the answer that is the result; empty where there is none. Without it the result is the answer. */
  readonly as?: string;
  /** Members of the request that are of the result, too. */
  readonly echoes?: readonly string[];
  /** Members of the answer that are not of the result. */
  readonly beside?: readonly string[];
  /** Where times stand in the answer. */
  readonly times?: readonly string[];
  /** Where entries do. */
  readonly entries?: readonly string[];
  /** May be repeated: a second time changes nothing. */
  readonly safe?: true;
  /** Goes with a key, where it may be repeated. */
  readonly once?: true;
  /** May take as long as it needs. */
  readonly unlimited?: true;
}

type Group = keyof typeof ROUTES;
type Fields = Record<string, unknown>;

/** A group of operations of a running server. */
export function defined<Name extends Group>(group: Name, transport: Transport): GroupOf<StoreOperations, Name> {
  return callsOf<Name>(ROUTES[group], transport);
}

/** The same from the routes of the group, for a page that bundles those of no other. */
export function callsOf<Name extends Group>(routes: Readonly<Record<string, Route>>, transport: Transport): GroupOf<StoreOperations, Name> {
  const calls = Object.entries(routes).map(([name, route]) => [name, callOf(route, transport)]);
  return Object.fromEntries(calls) as GroupOf<StoreOperations, Name>;
}

function callOf(
  { method, path, bare, as, echoes = [], beside = [], times = [], entries = [], safe, once, unlimited }: Route,
  transport: Transport,
) {
  return async (...given: unknown[]): Promise<unknown> => {
    const id = path.includes(':id') ? encodeURIComponent(given.shift() as string) : '';
    const [request, options] = (bare ? [{}, ...given] : given) as [object?, CallOptions?];
    const sent = method === 'GET' ? { query: queryOf(request) } : bare && method === 'DELETE' ? {} : { body: request };
    const answer = await transport.json<Fields>(method, path.replace(':id', id), {
      ...options,
      ...sent,
      ...(safe && { safe }),
      ...(once && { once }),
      ...(unlimited && { unlimited }),
    });
    for (const place of times) read(answer, place.split('.'), (text) => Date.parse(text as string));
    for (const place of entries) read(answer, place.split('.'), (form) => entryFrom(form as EntryForm));
    for (const name of ['success', ...beside]) delete answer[name];
    if (as !== undefined) return answer[as];
    const said = Object.entries(request ?? {}).filter(([name, value]) => echoes.includes(name) && value !== undefined);
    return { ...Object.fromEntries(said), ...answer };
  };
}

/** Lists as JSON arrays: a word may hold a comma. */
function queryOf(request: object = {}): Query {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]));
}

/** Replaces what stands at a place; of a list in every item. */
function read(from: unknown, [name, ...rest]: readonly string[], change: (value: unknown) => unknown): void {
  if (Array.isArray(from)) return from.forEach((item) => read(item, [name!, ...rest], change));
  if (typeof from !== 'object' || from === null) return;
  const fields = from as Fields;
  const value = fields[name!];
  if (value === undefined) return;
  if (rest.length > 0) read(value, rest, change);
  else fields[name!] = Array.isArray(value) ? value.map(change) : change(value);
}
