import type { z } from 'zod';
import type { AdministrationOperations } from '../memory/operations/administration.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import type { GroupOf, OPERATIONS } from '../operations/table.ts';
import { ROUTES } from './routes.ts';
import type { Query, Transport } from './transport.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** How a client calls an operation; generated from its definition. */
interface Route {
  readonly method: string;
  /** Relative to `/api/`. If it has `:id`, the id is the first argument of the method. */
  readonly path: string;
  /** The method takes no request object. */
  readonly bare?: true;
  /** Response member that is the result; empty for no result. Default: the whole response. */
  readonly as?: string;
  /** Request members that are copied to the result. */
  readonly echoes?: readonly string[];
  /** Response members that are removed from the result. */
  readonly beside?: readonly string[];
  /** Paths of times in the response. */
  readonly times?: readonly string[];
  /** Paths of entries in the response. */
  readonly entries?: readonly string[];
  /** Idempotent: the request may be retried. */
  readonly safe?: true;
  /** Sent with an `Idempotency-Key` if retries are enabled. */
  readonly once?: true;
  /** Has no timeout. */
  readonly unlimited?: true;
}

type Group = keyof typeof ROUTES;
type Fields = Record<string, unknown>;
/** What a server offers: its store, and itself. */
type ServedOperations = StoreOperations & { readonly administration: AdministrationOperations };

/** The operations of a group, called over HTTP. */
export function groupCalls<Name extends Group>(group: Name, transport: Transport): GroupOf<ServedOperations, Name> {
  return callsOf<Name>(ROUTES[group], transport);
}

/** The same from the group's routes alone, so that a page does not bundle the routes of other groups. */
export function callsOf<Name extends Group>(
  routes: Readonly<Record<string, Route>>,
  transport: Transport,
): GroupOf<ServedOperations, Name> {
  const calls = Object.entries(routes).map(([name, route]) => [name, callOf(route, transport)]);
  return Object.fromEntries(calls) as GroupOf<ServedOperations, Name>;
}

/** The operations of a group with their results as they are on the wire: times are texts, and entries keep their form. */
type OnWire<Name extends Group> = {
  readonly [Method in keyof (typeof OPERATIONS)[Name] & keyof GroupOf<ServedOperations, Name>]: GroupOf<
    ServedOperations,
    Name
  >[Method] extends (...given: infer Given) => unknown
    ? (
        ...given: Given
      ) => Promise<(typeof OPERATIONS)[Name][Method] extends { readonly result: infer Result extends z.ZodType } ? z.input<Result> : never>
    : never;
};

/** Like `callsOf`, for a page that shows what the server says. */
export function wireCallsOf<Name extends Group>(routes: Readonly<Record<string, Route>>, transport: Transport): OnWire<Name> {
  const plain = Object.entries(routes).map(([name, route]) => [name, { ...route, times: [], entries: [] }]);
  return callsOf<Name>(Object.fromEntries(plain) as typeof routes, transport) as unknown as OnWire<Name>;
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
      ...withoutUndefined({ safe, once, unlimited }),
    });
    for (const place of times) read(answer, place.split('.'), (text) => Date.parse(text as string));
    for (const place of entries) read(answer, place.split('.'), (form) => entryFrom(form as EntryForm));
    for (const name of ['success', ...beside]) delete answer[name];
    if (as !== undefined) return answer[as];
    const said = Object.entries(request ?? {}).filter(([name, value]) => echoes.includes(name) && value !== undefined);
    return { ...Object.fromEntries(said), ...answer };
  };
}

/** Encodes lists as JSON arrays, because a value can contain a comma. */
function queryOf(request: object = {}): Query {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]));
}

/** Converts the value at a path in place; in a list, the value of every item. */
function read(from: unknown, [name = '', ...rest]: readonly string[], change: (value: unknown) => unknown): void {
  if (Array.isArray(from)) return from.forEach((item) => read(item, [name, ...rest], change));
  if (typeof from !== 'object' || from === null) return;
  const fields = from as Fields;
  const value = fields[name];
  if (value === undefined) return;
  if (rest.length > 0) read(value, rest, change);
  else fields[name] = Array.isArray(value) ? value.map(change) : change(value);
}
