import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindOf } from './fields.ts';
import { asText, KINDS } from './kinds.ts';
import { goodBodies, join, ROUTES, withFields, type Route } from './routes.ts';
import { BODY_LIMIT, openTriedStore, refusalIn, type TriedStore } from './tried-store.ts';

let store: TriedStore;
let known: string;
beforeAll(async () => {
  store = await openTriedStore();
  known = await store.everything();
});
// Also where a failure answered what was expected: whatever the order of the tests was, it is looked for after the last.
afterAll(async () => {
  const {
    server: { logged },
    sent,
  } = store;
  await store[Symbol.asyncDispose]();
  const requests = logged.filter(({ status }) => status !== undefined).length;
  if (sent === 0 || requests < sent) throw new Error(`${sent} requests were sent, ${requests} logged.`);
  const faults = logged.filter(({ level, status }) => (level as number) >= 50 || (status as number) >= 500);
  if (faults.length > 0) throw new Error(`Logged as faults: ${JSON.stringify(faults)}`);
});

type Told = ReturnType<typeof refusalIn>;
/** What was asked, what was answered, and what is to be answered. */
interface Trial {
  readonly asked: string;
  readonly seen: Told;
  readonly expected: readonly [status: number, error: string | RegExp];
}

/** Names those that were answered otherwise; and the store is what it was. */
async function expectRefused(trials: AsyncIterable<Trial>): Promise<void> {
  const wrong: string[] = [];
  let count = 0;
  for await (const trial of trials) {
    const [status, error] = trial.expected;
    const isSaid = typeof error === 'string' ? trial.seen[1] === error : error.test(trial.seen[1]);
    if (trial.seen[0] !== status || !isSaid) wrong.push(`${trial.asked}: ${trial.seen.join(' ')}, and not ${status} ${String(error)}`);
    count += 1;
  }
  expect(wrong, wrong.join('\n')).toEqual([]);
  expect(count).toBeGreaterThan(0);
  const now = await store.everything();
  const before = known;
  known = now;
  expect(now, 'a request that was refused changed the store').toBe(before);
}

const goodBody = ({ name }: Route): Readonly<Record<string, unknown>> => goodBodies(store)[name] ?? {};
/** `[1] must …` and `.min must …` stand right behind the name. */
const sentence = (field: string, reason: string): string => `${field}${/^[[.]/.test(reason) ? '' : ' '}${reason}`;

/** Each field of the body that is missing, and with values that its kind refuses. */
async function* wrongFields(route: Route): AsyncGenerator<Trial> {
  for (const { at, known: names, required } of route.places) {
    for (const name of names) {
      const field = join(at, name);
      const isRequired = required.includes(name);
      const { refused, telling } = KINDS[kindOf(route.name, field)!];
      for (const fault of telling) {
        const [value, reason] = refused[fault]!;
        const seen = refusalIn(await store.send(route, { body: withFields(goodBody(route), at, { [name]: value }) }));
        const said = isRequired && at === '' && value === null ? 'is required' : reason;
        yield { asked: `${field}: ${fault}`, seen, expected: [400, sentence(field, said)] };
      }
      if (!isRequired) continue;
      const seen = refusalIn(await store.send(route, { body: withFields(goodBody(route), at, { [name]: undefined }) }));
      yield { asked: `no ${field}`, seen, expected: [400, `${field} is required`] };
    }
  }
}

/** The fields of these may stand in the query instead of the body. */
const IN_QUERY: Readonly<Record<string, readonly string[]>> = {
  'DELETE /api/relations': ['sourceId', 'targetId', 'type'],
  'DELETE /api/sources': ['namespace', 'kind', 'root', 'paths'],
  'DELETE /api/keys': ['id'],
};

/** Each parameter with values that its kind refuses, with half a character, and given twice. */
async function* wrongParameters(route: Route): AsyncGenerator<Trial> {
  for (const name of route.query) {
    const kind = KINDS[kindOf(route.name, name)!];
    const cases = kind.telling.flatMap((fault) => {
      const [value, reason] = kind.refused[fault]!;
      const text = asText(kind, value);
      return text === undefined ? [] : [[fault, text, sentence(name, reason)] as const];
    });
    const broken = ['half a character', '%ED%A0%80', 'The query string is not percent-encoded UTF-8.'] as const;
    for (const [fault, text, error] of [...cases, broken])
      yield { asked: `${name}: ${fault}`, seen: refusalIn(await store.send(route, { query: `?${name}=${text}` })), expected: [400, error] };
  }
  for (const name of [...route.query, ...(IN_QUERY[route.name] ?? [])]) {
    const seen = refusalIn(await store.send(route, { query: `?${name}=guide&${name}=guide` }));
    yield { asked: `${name} twice`, seen, expected: [400, `\`${name}\` must be given only once`] };
  }
}

const NO_KEYS = {
  empty: '',
  quotes: '""',
  'half a string': '"a',
  'too long': 'k'.repeat(256),
  'two of them': 'a, b',
  'a letter of Latin-1': '\u00e9',
};
/** The header of a change with a key of its own that is none. */
async function* wrongHeaders(route: Route): AsyncGenerator<Trial> {
  if (!route.headers.includes('Idempotency-Key')) return;
  for (const [fault, key] of Object.entries(NO_KEYS))
    yield {
      asked: `Idempotency-Key: ${fault}`,
      seen: refusalIn(await store.send(route, { headers: { 'idempotency-key': key } })),
      expected: [400, /^Idempotency-Key must be 1 to 255 visible ASCII characters/],
    };
}

/** Ids that name nothing, percent-encoded; those of `broken` are no text at all. */
const NO_IDS = {
  unknown: '00000000-0000-7000-8000-000000000000',
  'unknown with its prefix': 'mem_00000000-0000-7000-8000-000000000000',
  'two prefixes': 'mem_mem_00000000-0000-7000-8000-000000000000',
  'a word': 'nope',
  'too long': 'a'.repeat(4000),
  'SQL-looking': encodeURIComponent("x' OR '1'='1"),
  'a NUL': '%00',
  'a newline': 'a%0Ab',
  'a path': '..%2f..%2fetc%2fpasswd',
  'a word of JavaScript': '__proto__',
};
const BROKEN_IDS = { 'a bare percent sign': '%', 'no UTF-8': '%ff', 'a lone surrogate': '%ED%A0%80' };

async function* wrongIds(route: Route): AsyncGenerator<Trial> {
  if (!route.path.includes('{id}')) return;
  const all = [
    ...Object.entries(NO_IDS).map(([fault, id]) => [fault, id, 404] as const),
    ...Object.entries(BROKEN_IDS).map(([fault, id]) => [fault, id, 400] as const),
  ];
  for (const [fault, id, status] of all)
    yield {
      asked: `id: ${fault}`,
      seen: refusalIn(await store.send({ ...route, path: route.path.replace('{id}', id) })),
      expected: [status, /./],
    };
}

const NO_OBJECTS = { nothing: '', 'half an object': '{"content":', 'an array': '[{"content":"a"}]' };

/** Bodies that are no JSON object, of another type, or too large. */
async function* wrongBodies(route: Route): AsyncGenerator<Trial> {
  if (route.takesLines) {
    const seen = refusalIn(await store.send(route, { headers: { 'content-type': 'application/json' } }));
    yield { asked: 'as application/json', seen, expected: [415, /content type/] };
  }
  if (route.places.length === 0) return;
  const json = { 'content-type': 'application/json' };
  // Without any body the fields are looked for in the query.
  const says = route.name in IN_QUERY ? /^The request body |is required$/ : /^The request body /;
  for (const [fault, body] of Object.entries(NO_OBJECTS))
    yield { asked: fault, seen: refusalIn(await store.send(route, { body, headers: json })), expected: [400, says] };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    yield { asked: type, seen: refusalIn(await store.send(route, { headers: { 'content-type': type } })), expected: [415, /content type/] };
  const large = { ...goodBody(route), content: 'x'.repeat(BODY_LIMIT) };
  yield { asked: 'too large', seen: refusalIn(await store.send(route, { body: large })), expected: [413, /at most 131072 bytes/] };
}

const UNKNOWN = ['none_such', '__proto__', 'constructor', 'toString'];
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** A field that no schema knows, in each object of the body; one that differs in case alone. */
async function* unknownFields(route: Route): AsyncGenerator<Trial> {
  for (const { at, known: names } of route.places) {
    const inCapitals = names.filter((name) => name !== name.toUpperCase()).map((name) => name.toUpperCase());
    for (const name of [...(at === '' ? UNKNOWN : UNKNOWN.slice(0, 2)), ...inCapitals.slice(0, 1)]) {
      const body = withFields(goodBody(route), at, { '\0': true });
      // An object made in JavaScript would take `__proto__` for its prototype.
      const text = JSON.stringify(body).replace('"\\u0000"', `"${name}"`);
      const seen = refusalIn(await store.send(route, { body: text }));
      const place = at === '' ? '' : ` of \`${at}\``;
      const end = names.length === 0 ? 'This request takes no fields' : `Known fields${place}: ${listed(names)}`;
      const [start, near] = [`Unknown field \`${join(at, name)}\`.`, / Did you mean `[^`]+`\?/];
      yield { asked: `unknown ${join(at, name)}`, seen: [seen[0], seen[1].replace(near, '')], expected: [400, `${start} ${end}`] };
    }
  }
}

/** Those that need no key have no parameters, and take any: see docs/adr/0032. */
const OPEN = ['/healthz', '/readyz'];

async function* unknownParameters(route: Route): AsyncGenerator<Trial> {
  if (OPEN.includes(route.path)) return;
  const names = [...(IN_QUERY[route.name] ?? []), ...route.query];
  for (const name of UNKNOWN) {
    const [status, error] = refusalIn(await store.send(route, { query: `?${name}=1` }));
    const end = names.length === 0 ? 'This request takes no parameters' : `Known parameters: ${listed(names)}`;
    const seen = [status, error.replace(/ Did you mean `[^`]+`\?/, '')] as const;
    yield { asked: `unknown ${name}`, seen, expected: [400, `Unknown parameter \`${name}\`. ${end}`] };
  }
}

async function* joined(...parts: readonly AsyncIterable<Trial>[]): AsyncGenerator<Trial> {
  for (const part of parts) yield* part;
}

describe('the document', () => {
  it('has a kind for every field', () => {
    const fields = ROUTES.flatMap(({ name, query, places }) =>
      [...query, ...places.flatMap(({ at, known: names }) => names.map((field) => join(at, field)))].map((field) => [name, field] as const),
    );
    expect(fields.length).toBeGreaterThan(250);
    expect(fields.filter(([route, field]) => kindOf(route, field) === undefined)).toEqual([]);
  });

  it('closes every request object to further fields', () => {
    const open = ROUTES.flatMap(({ name, places }) => places.filter(({ isClosed }) => !isClosed).map(({ at }) => `${name} ${at}`));
    expect(open).toEqual([]);
  });
});

const isTried = ({ path, query, places }: Route): boolean => query.length > 0 || places.length > 0 || path.includes('{id}');

describe.each(ROUTES.filter(isTried))('$name', (route) => {
  it('rejects a value of the wrong kind, names the field, and changes nothing', async () => {
    await expectRefused(joined(wrongFields(route), wrongParameters(route), wrongHeaders(route), wrongIds(route), wrongBodies(route)));
  });
});

describe.each(ROUTES.filter(({ path }) => !OPEN.includes(path)))('$name', (route) => {
  it('rejects an unknown field, lists the known ones, and changes nothing', async () => {
    await expectRefused(joined(unknownFields(route), unknownParameters(route)));
  });
});

describe('a probe', () => {
  it('accepts its own parameters from anyone', async () => {
    for (const path of OPEN) expect((await store.server.call('GET', `${path}?at=1`)).status).toBe(200);
  });
});
