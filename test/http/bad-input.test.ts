import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type Answer, type Body, type TestServer } from '../helpers/server.ts';
import { BODY_FIELDS, FAULTS, NO_IDS, NOT_AN_OBJECT, QUERY_FIELDS } from './bad-input.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';
import { onObjectStorage } from '../helpers/store-location.ts';

const LIMIT = 64 * 1024;
const NDJSON = { 'content-type': 'application/x-ndjson' };
/** Words of the engine, of the runtime and of the machine, which no client may see. */
const FOREIGN =
  /lance|arrow|datafusion|rust|\.rs\b|node_modules|\bat .+:\d+|\/home|SyntaxError|TypeError|ECONN|EPIPE|zod|undefined|\[object/i;

let server: TestServer;
let id: string;
let other: string;
beforeAll(async () => {
  server = await startTestServer({ server: { bodyLimitBytes: LIMIT } });
  id = await server.save('The one that must stay', { tags: ['kept'] });
  other = await server.save('And this one', { namespace: 'elsewhere' });
});
afterAll(() => server.close());

/** Every byte of what is stored, but for what a change of the entry itself would be: the lines below the header, which has the time in it. */
const everything = async (): Promise<string> => (await server.call('GET', '/api/export?vectors=true')).text.replace(/^.*\n/, '');

/** What was stored when it was last looked at; undefined where something may have changed it since. */
let known: string | undefined;

/** Does what must change nothing: compares what is stored then with what was stored before. */
async function changingNothing(act: () => Promise<void>): Promise<void> {
  const before = (known ??= await everything());
  known = undefined;
  await act();
  known = await everything();
  expect(known).toBe(before);
}

/** The status, and all that is wrong with an answer that should be the error form in Lore's own words. */
function problemIn({ status, body, text }: Pick<Answer, 'status' | 'body' | 'text'>): { status: number; faults: string[] } {
  const faults = {
    'not the error form': Object.keys(body ?? {}).join() !== 'success,error,code' || body.success || typeof body.error !== 'string',
    'another code': !['INVALID_REQUEST', 'NOT_FOUND'].includes(body?.code),
    'too long': text.length > 300,
    'words of others': FOREIGN.test(body?.error ?? '') || text.includes(tmpdir()),
  };
  const found = Object.entries(faults).filter(([, isSo]) => isSo);
  return { status, faults: found.map(([fault]) => `${fault}: ${text.slice(0, 300)}`) };
}
const refusal = (status: number) => ({ status, faults: [] });

/** A body that the route takes, with one field of it replaced; undefined takes the field away. */
function bodyWith(method: string, path: string, field: string, value: unknown): Record<string, unknown> {
  const base: Record<string, unknown> = {
    '/api/save': { content: 'base' },
    '/api/recall': { query: 'base' },
    '/api/near': { content: 'base' },
    '/api/search': { query: 'base' },
    '/api/explain': { query: 'base', id },
    '/api/forget': { namespace: 'base' },
    '/api/tags': { namespace: 'base', ...(field === 'add' ? { remove: ['base'] } : { add: ['base'] }) },
    '/api/capture': { client: 'base', session: 'base', event: 'session-start' },
    '/api/capture/undo': { session: 'base' },
    '/api/relations': { sourceId: field === 'targetId' ? other : id, targetId: other, type: 'similar' },
    '/api/entities/rename': { from: 'base.ts', to: 'base.ts' },
    '/api/sources': {
      kind: 'index',
      root: 'base',
      ...(method === 'POST' ? { files: [{ path: 'base.ts', hash: 'base', passages: [] }] } : { paths: ['base.ts'] }),
    },
    '/api/namespaces/rename': { from: 'base', to: 'another base' },
    '/api/namespaces/merge': { from: ['base'], into: 'another base' },
    '/api/namespaces/move': { to: 'another base', ...(field === 'ids' ? {} : { namespace: 'base' }) },
    ...(['ids', 'run', 'since'].includes(field) ? {} : { '/api/restore': { since: '2999-01-01' } }),
  };
  const body = structuredClone(base[path] ?? {}) as Record<string, unknown>;
  const keys = field.split('.');
  let place = body;
  for (const key of keys.slice(0, -1)) place = place[key] = {} as Record<string, unknown>;
  place[keys.at(-1)!] = typeof value === 'string' ? value.replace(':id', id).replace(':ID', id.toUpperCase()) : value;
  return body;
}

const FIELDS = BODY_FIELDS.flatMap(({ method, path, fields }) =>
  Object.entries(fields).map(([field, kind]) => ({ method, path, field, kind })),
);

describe.each(FIELDS)('$field of $method $path', ({ method, path, field, kind }) => {
  const send = (value: unknown, query = '') =>
    server.call(method, path.replace(':id', id) + query, { body: bodyWith(method, path, field, value) });

  it.each(Object.keys(FAULTS[kind].refused))('is refused when it is %s', async (fault) => {
    await changingNothing(async () => {
      const answer = await send(Reflect.get(FAULTS[kind].refused, fault));
      expect(problemIn(answer)).toEqual(refusal(400));
      expect(answer.body.error).toContain(field.split('.').at(-1));
    });
  });

  it('is plain text however it looks', async () => {
    known = undefined;
    for (const [fault, value] of Object.entries(FAULTS[kind].taken)) {
      const target = path === '/api/:id' ? await server.save(`To be changed: ${field} ${fault}`) : id;
      const answer = await server.call(method, path.replace(':id', target), { body: bodyWith(method, path, field, value) });
      expect([fault, answer.status, answer.body?.error]).toEqual([fault, 200, undefined]);
      expect((await server.call('GET', `/api/${id}`)).body.entry.content).toBe('The one that must stay');
      const saved = path === '/api/save' ? answer.body.ids[0] : undefined;
      for (const made of [saved, target]) if (made !== undefined && made !== id) await server.call('DELETE', `/api/${made}`);
    }
  });
});

describe.each(
  QUERY_FIELDS.filter(({ path }) => path !== '/api/backups' || !onObjectStorage()).flatMap(({ method, path, fields }) =>
    Object.entries(fields).map(([field, faults]) => ({ method, path, field, faults })),
  ),
)('parameter $field of $method $path', ({ method, path, field, faults }) => {
  const target = () => path.replace(':id', id);
  const options = method === 'POST' ? { body: '{"content":"planted by an import"}', headers: NDJSON } : {};

  it.each(Object.keys(faults.refused))('is refused when it is %s', async (fault) => {
    await changingNothing(async () => {
      expect(problemIn(await server.call(method, `${target()}?${field}=${faults.refused[fault]}`, options))).toEqual(refusal(400));
    });
  });

  it('is refused when it stands twice', async () => {
    const [value] = Object.values(faults.taken);
    expect(problemIn(await server.call(method, `${target()}?${field}=${value}&${field}=${value}`, options))).toEqual(refusal(400));
  });

  it('is plain text however it looks', async () => {
    await changingNothing(async () => {
      for (const [fault, value] of Object.entries(faults.taken)) {
        const dry = method === 'POST' && field !== 'dryRun' ? '&dryRun=true' : '';
        const body = method === 'POST' ? { ...options, body: field === 'dryRun' ? '' : options.body! } : options;
        const answer = await server.call(method, `${target()}?${field}=${value}${dry}`, body);
        expect([fault, answer.status, answer.body?.error]).toEqual([fault, 200, undefined]);
      }
    });
  });
});

describe.each(BODY_FIELDS)('the body of $method $path', ({ method, path }) => {
  const target = () => path.replace(':id', id);

  it.each(Object.keys(NOT_AN_OBJECT))('is refused when it is %s', async (fault) => {
    await changingNothing(async () => {
      const answer = await server.call(method, target(), { body: NOT_AN_OBJECT[fault]!, headers: { 'content-type': 'application/json' } });
      expect(problemIn(answer)).toEqual(refusal(400));
    });
  });

  it('is refused when no body and no type came', async () => {
    expect(problemIn(await server.call(method, target()))).toEqual(refusal(415));
  });

  it.each(['text/plain', 'text/plain;application/json', 'application/jsonp', 'application/xml', 'application/x-www-form-urlencoded'])(
    'is refused as %s',
    async (type) => {
      await changingNothing(async () => {
        const body = JSON.stringify({ content: 'planted', query: 'planted' });
        expect(problemIn(await server.call(method, target(), { body, headers: { 'content-type': type } }))).toEqual(refusal(415));
      });
    },
  );

  it('is refused when it is too large, with and without its length', async () => {
    await changingNothing(async () => {
      const body = JSON.stringify({ content: 'x'.repeat(LIMIT), query: 'x' });
      expect(problemIn(await server.call(method, target(), { body }))).toEqual(refusal(413));
      const chunked = [
        head(target(), ['Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close'], method),
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ];
      const raw = parseRaw(await rawExchange(server.port, chunked));
      expect(problemIn({ status: raw.status, text: raw.body, body: JSON.parse(raw.body) as Body })).toEqual(refusal(413));
    });
  });
});

// Every field of these is optional, so an object without any is a good one.
const WITHOUT_REQUIRED = [
  '/api/migrate',
  '/api/diagnose',
  '/api/verify',
  '/api/compact',
  '/api/:id/undo',
  '/api/:id/use',
  '/api/backups',
  '/api/context',
];
describe.each(BODY_FIELDS.filter(({ path }) => !WITHOUT_REQUIRED.includes(path)))('the body of $method $path', ({ method, path }) => {
  const send = (body: string) => server.call(method, path.replace(':id', id), { body });

  it('does no harm when it is nested thirty thousand times', async () => {
    await changingNothing(async () => {
      const nest = '['.repeat(30_000) + ']'.repeat(30_000);
      expect(problemIn(await send(`{"tags":${nest},"filter":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`))).toEqual(refusal(400));
    });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('brings no fields in by %s', async (name) => {
    await changingNothing(async () => {
      expect(problemIn(await send(`{"${name}":{"content":"planted","query":"planted"}}`))).toEqual(refusal(400));
    });
  });
});

describe('an id that names nothing', () => {
  /** In a path these are no text at all. */
  const UNDECODABLE = ['a bare percent sign', 'no UTF-8', 'a lone surrogate'];

  it.each(Object.keys(NO_IDS))('is refused when it is %s, whatever is asked of it', async (fault) => {
    const status = UNDECODABLE.includes(fault) ? 400 : 404;
    await changingNothing(async () => {
      for (const [method, options] of [
        ['GET', {}],
        ['DELETE', {}],
        ['PATCH', { body: { content: 'planted' } }],
      ] as const)
        expect(problemIn(await server.call(method, `/api/${NO_IDS[fault]}`, options))).toEqual(refusal(status));
    });
  });
});

describe('an id in a body', () => {
  it('that names nothing is 404, with and without its prefix', async () => {
    for (const fault of ['unknown', 'unknown with prefix'])
      expect(problemIn(await server.call('POST', '/api/explain', { body: { query: 'stay', id: NO_IDS[fault] } }))).toEqual(refusal(404));
  });
});

describe('numbers that JSON can write and a store cannot hold', () => {
  it.each(['1e999', '-1e999', '1e-400', '-0', '0.5', '9007199254740993'])('limit %s is refused', async (limit) => {
    expect(problemIn(await server.call('POST', '/api/recall', { body: `{"query":"x","limit":${limit}}` }))).toEqual(refusal(400));
  });
});

describe('after all that', () => {
  it('the store holds the two entries it held before, and nothing was logged as a fault', async () => {
    const { body } = await server.call('GET', '/api/list?allNamespaces=true&sort=createdAt');
    expect(body.entries.map((entry: { content: string }) => entry.content)).toEqual(['The one that must stay', 'And this one']);
    expect(server.logged.filter((line) => (line['level'] as number) >= 50)).toEqual([]);
    expect(server.logged.filter((line) => (line['status'] as number) >= 500)).toEqual([]);
  });
});
