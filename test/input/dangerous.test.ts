import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindOf } from './fields.ts';
import type { Kind } from './kind.ts';
import { asText, KINDS } from './kinds.ts';
import { goodBodies, join, ROUTES, withFields, type Route } from './routes.ts';
import { openTriedStore, type TriedStore } from './tried-store.ts';

let store: TriedStore;
beforeAll(async () => {
  store = await openTriedStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const NEW = '0190a000-0000-7000-8000-00000000000b';
/** What is carried out without reaching any entry that was there. */
function harmlessBody({ name }: Route, field: string): Readonly<Record<string, unknown>> {
  const nowhere = { namespace: 'nowhere' };
  const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'POST /api/tags': { ...nowhere, ...(field === 'add' ? { remove: ['planted'] } : { add: ['planted'] }) },
    'POST /api/forget': nowhere,
    'POST /api/namespaces/rename': { from: 'nowhere', to: 'another place' },
    'POST /api/namespaces/merge': { from: ['nowhere'], into: 'another place' },
    'POST /api/namespaces/move': { ...nowhere, to: 'another place' },
    'POST /api/restore': field === 'run' ? {} : { since: '2999-01-01' },
    'POST /api/sync/apply': { ...nowhere, entries: [{ ...syncEntry(), id: NEW }] },
  };
  return bodies[name] ?? goodBodies(store)[name] ?? {};
}
const syncEntry = (): object => (goodBodies(store)['POST /api/sync/apply']!['entries'] as readonly object[])[0]!;

/** The values of a kind that only look dangerous; none where it takes no text. */
const looks = ({ accepted }: Kind): readonly unknown[] =>
  ['SQL-looking', 'a word of JavaScript', 'search operators'].flatMap((name) => (Object.hasOwn(accepted, name) ? [accepted[name]] : []));

/** Made by somebody else for something else: nothing that only looks like one is taken for it. */
const REFUSED_AS: Readonly<Record<string, number>> = { 'POST /api/forget confirm': 400, 'POST /api/settings/change key': 404 };

interface Trial {
  readonly field: string;
  readonly values: readonly unknown[];
  /** Where the value stands; undefined in the query. */
  readonly at?: string;
}
const trials = ({ name, query, places }: Route): readonly Trial[] =>
  [
    ...query.map((field) => ({ field, values: looks(KINDS[kindOf(name, field)!]).filter((value) => typeof value === 'string') })),
    ...places.flatMap(({ at, known }) => known.map((field) => ({ field, at, values: looks(KINDS[kindOf(name, join(at, field))!]) }))),
  ].filter(({ values }) => values.length > 0);

async function statusOf(route: Route, { field, at }: Trial, value: unknown): Promise<number> {
  const path =
    route.name === 'PATCH /api/{id}' ? `/api/${await store.server.save(`To be changed: ${field} ${String(value)}`)}` : route.path;
  // What goes on without an end is asked for its head alone.
  const method = route.path === '/api/events' ? 'HEAD' : route.method;
  const target = { ...route, method, path };
  const body = harmlessBody(route, field);
  if (at !== undefined) return (await store.send(target, { body: withFields(body, at, { [field]: value }) })).status;
  const text = asText(KINDS[kindOf(route.name, field)!], value)!;
  const dry = route.takesLines ? '&dryRun=true' : '';
  return (await store.send(target, { query: `?${field}=${text}${dry}` })).status;
}

/** Away with what was saved and moved: a namespace of the same name is to be empty again. */
async function cleanUp(): Promise<void> {
  const { body } = await store.server.call('GET', '/api/list?allNamespaces=true&limit=100');
  const made = body.entries.filter(({ id }: { id: string }) => id !== store.id && id !== store.other);
  for (const { id } of made) await store.server.call('DELETE', `/api/${id}`);
}

const kept = async (): Promise<unknown> =>
  Promise.all(
    [store.id, store.other].map(async (id) => {
      const { content, metadata } = (await store.server.call('GET', `/api/${id}`)).body.entry;
      // A search that finds it counts as a use.
      const { namespace, container, tags, priority } = metadata;
      return { content, namespace, container, tags, priority };
    }),
  );

describe.each(ROUTES.filter((route) => trials(route).length > 0))('$name', (route) => {
  it('stores dangerous looking text as text', async () => {
    const before = await kept();
    const seen: [field: string, value: unknown, status: number][] = [];
    for (const trial of trials(route))
      for (const value of trial.values) seen.push([trial.field, value, await statusOf(route, trial, value)]);
    const expected = (field: string): number => REFUSED_AS[`${route.name} ${field}`] ?? 200;
    const wrong = seen.filter(([field, , status]) => status !== expected(field));
    expect(wrong, JSON.stringify(wrong)).toEqual([]);
    expect(await kept()).toEqual(before);
    await cleanUp();
  });
});
