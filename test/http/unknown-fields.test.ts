import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openapiDocument } from '../../src/http/openapi/document.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
const document = openapiDocument('0.9.0') as Document;

/** One object of a request body: where it stands, and what it may hold. */
interface Place {
  /** Such as `files[0].passages[0]`; empty for the body itself. */
  readonly at: string;
  readonly schema: Schema;
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;
}

/** The body and every object in it whose fields are known. */
function placesIn(given: Schema, at = ''): readonly Place[] {
  const schema = resolved(given);
  if (schema.items) return placesIn(schema.items, `${at}[0]`);
  if (!schema.properties) return [];
  const inner = Object.entries(schema.properties).flatMap(([name, field]) => placesIn(field, at === '' ? name : `${at}.${name}`));
  return [{ at, schema }, ...inner];
}

/** `value` put at a place of a body. */
function placed(body: Readonly<Record<string, unknown>>, at: string, value: Readonly<Record<string, unknown>>): unknown {
  const steps = at.split(/[.[\]]/).filter((step) => step !== '');
  const [last] = steps.slice(-1);
  if (last === undefined) return { ...body, ...value };
  const root = structuredClone(body) as Record<string, unknown>;
  let parent = root;
  steps.forEach((step, nth) => {
    const empty = /^\d+$/.test(steps[nth + 1] ?? '') ? [] : {};
    const held = parent[step] ?? empty;
    parent[step] = nth === steps.length - 1 ? { ...held, ...value } : held;
    parent = parent[step] as Record<string, unknown>;
  });
  return root;
}

let server: TestServer;
let [id, other] = ['', ''];
beforeAll(async () => {
  server = await startTestServer();
  [id, other] = [await server.save('The heron fishes', { tags: ['bird'] }), await server.save('The walrus sleeps')];
  await server.call('POST', '/api/relations', { body: { sourceId: id, targetId: other, type: 'references' } });
  await server.call('PATCH', `/api/${other}`, { body: { content: 'The walrus sleeps in' } });
});
afterAll(() => server.close());

/** Everything that is stored, and how many backups there are of it. */
async function everything(): Promise<unknown> {
  const { text } = await server.call('GET', '/api/export?all=true');
  const { body } = await server.call('GET', '/api/backups');
  return [text.replace(/^.*\n/, ''), body.count ?? body.code];
}

/** Bodies that would change something, or would be answered, without the unknown field. */
const goodBodies = (): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'POST /api/save': { content: 'Not to be stored' },
  'POST /api/recall': { query: 'heron' },
  'POST /api/search': { query: 'heron' },
  'POST /api/explain': { query: 'heron', id },
  'POST /api/near': { content: 'The heron fishes' },
  'POST /api/tags': { namespace: 'test', add: ['planted'] },
  'PATCH /api/{id}': { content: 'Not to be changed' },
  'POST /api/forget': { namespace: 'test' },
  'POST /api/namespaces/rename': { from: 'test', to: 'elsewhere' },
  'POST /api/namespaces/merge': { from: ['test'], into: 'elsewhere' },
  'POST /api/namespaces/move': { namespace: 'test', to: 'elsewhere' },
  'POST /api/relations': { sourceId: other, targetId: id, type: 'supersedes' },
  'DELETE /api/relations': { sourceId: id, targetId: other, type: 'references' },
  'POST /api/entities/rename': { from: 'a.ts', to: 'b.ts' },
  'POST /api/capture': { client: 'test', session: 'test', event: 'prompt', text: 'We decided to feed the heron' },
  'POST /api/capture/undo': { session: 'test' },
  'POST /api/restore': { since: '2000-01-01' },
  'POST /api/backups/verify': { name: '2026-01-01T00-00-00.000Z' },
  'POST /api/sources': { kind: 'index', root: 'r', files: [{ path: 'a.ts', hash: 'h', passages: [{ content: 'Planted' }] }] },
  'DELETE /api/sources': { kind: 'index', root: 'r', paths: ['a.ts'] },
  'POST /api/sync/digests': { namespace: 'test', buckets: 1 },
  'POST /api/sync/stamps': { namespace: 'test' },
  'POST /api/sync/entries': { namespace: 'test', ids: [id] },
  'POST /api/sync/apply': { namespace: 'test', forgotten: [{ id, at: 4_000_000_000_000 }] },
});

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    // The envelope of /mcp is that of another protocol.
    const places = schema && path !== '/mcp' ? placesIn(schema) : [];
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return { method: method.toUpperCase(), path, places, parameters };
  }),
);
const NAMES = ['none_such', '__proto__', 'constructor', 'toString'];
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

describe.each(operations.filter(({ places }) => places.length > 0))('the body of $method $path', ({ method, path, places }) => {
  const target = () => path.replace('{id}', id);

  it('says in the document that it holds nothing else', () => {
    expect(places.filter(({ schema }) => schema.additionalProperties !== false)).toEqual([]);
  });

  it('is refused with a field that is not known, in each of its objects, and changes nothing', async () => {
    const before = await everything();
    const good = goodBodies()[`${method} ${path}`] ?? {};
    for (const { at, schema } of places) {
      const known = Object.keys(schema.properties ?? {});
      const inCapitals = known.filter((name) => name !== name.toUpperCase()).map((name) => name.toUpperCase());
      for (const name of [...(at === '' ? NAMES : NAMES.slice(0, 1)), ...inCapitals.slice(0, 1)]) {
        const field = JSON.parse(`{"${name}":true}`) as Record<string, unknown>;
        // A spread would take `__proto__` for the prototype.
        const body =
          name === '__proto__' ? `{"__proto__":true,${JSON.stringify(good).slice(1)}`.replace(',}', '}') : placed(good, at, field);
        const answer = await server.call(method, target(), { body });
        expect([name, answer.status, answer.body?.code]).toEqual([name, 400, 'INVALID_REQUEST']);
        expect(answer.body.error).toContain(`Unknown field \`${at === '' ? name : `${at}.${name}`}\`.`);
        expect(answer.body.error).toMatch(known.length === 0 ? /takes no fields$/ : new RegExp(`: ${listed(known)}$`));
      }
    }
    expect(await everything()).toEqual(before);
  });
});

// Those that need no key have no parameters, and take any: see docs/adr/0032.
const OPEN = ['/healthz', '/readyz'];
describe.each(operations.filter(({ path }) => !OPEN.includes(path)))('the query of $method $path', ({ method, path, parameters }) => {
  it('is refused with a parameter that is not known, or that is given twice, and nothing is changed', async () => {
    const before = await everything();
    const target = path.replace('{id}', id);
    // The fields of this one may stand in the query instead of the body.
    const known = `${method} ${path}` === 'DELETE /api/relations' ? ['sourceId', 'targetId', 'type', ...parameters] : parameters;
    const body = path === '/api/import' ? '{"content":"Planted"}' : goodBodies()[`${method} ${path}`];
    const headers = path === '/api/import' ? { 'content-type': 'application/x-ndjson' } : {};
    const options = method === 'GET' ? {} : { body: body ?? (method === 'POST' ? {} : undefined), headers };
    for (const name of NAMES) {
      const answer = await server.call(method, `${target}?${name}=1`, options);
      expect([name, answer.status, answer.body?.code]).toEqual([name, 400, 'INVALID_REQUEST']);
      expect(answer.body.error).toContain(`Unknown parameter \`${name}\`.`);
      expect(answer.body.error).toContain(known.length === 0 ? 'takes no parameters' : `Known parameters: ${listed(known)}`);
    }
    const [first = 'form'] = known;
    const twice = await server.call(method, `${target}?${first}=guide&${first}=guide`, options);
    expect([twice.status, twice.body.error]).toEqual([400, `\`${first}\` must be given only once`]);
    expect(await everything()).toEqual(before);
  });
});

describe('a misspelt field', () => {
  it.each([
    ['POST', '/api/namespaces/merge', { from: ['test'], into: 'x', dry_run: true }, 'dry_run', 'dryRun'],
    ['POST', '/api/forget', { tgas: ['bird'] }, 'tgas', 'tags'],
    ['POST', '/api/search', { query: 'heron', filter: { tag: ['bird'] } }, 'filter.tag', 'tags'],
    ['POST', '/api/search', { query: 'heron', createdAfter: '2026-01-01' }, 'createdAfter', 'filter.createdAfter'],
    ['POST', '/api/recall', { query: 'heron', search_mode: 'keyword' }, 'search_mode', 'searchMode'],
    ['POST', '/api/save', { content: 'Not to be stored', Namespace: 'x' }, 'Namespace', 'namespace'],
    ['POST', '/api/save', { contnet: 'Not to be stored' }, 'contnet', 'content'],
    ['GET', '/api/list?namespce=x', undefined, 'namespce', 'namespace'],
    ['GET', '/api/list?created_after=2026-01-01', undefined, 'created_after', 'createdAfter'],
    ['POST', '/api/import?dryrun=true', '{"content":"Not to be stored"}', 'dryrun', 'dryRun'],
  ])('of %s %s %j is refused, and the nearest known one is named', async (method, path, body, unknown, near) => {
    const headers = path.startsWith('/api/import') ? { 'content-type': 'application/x-ndjson' } : {};
    const before = await everything();
    const answer = await server.call(method, path, { body, headers });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(new RegExp(`^Unknown (field|parameter) \`${unknown}\`\\. Did you mean \`${near}\`\\? Known `));
    expect(await everything()).toEqual(before);
  });

  it('is named in few words however long it is and whatever it holds', async () => {
    const hostile = await server.call('POST', '/api/compact', { body: { [`\u001b[31m\n${'x'.repeat(5000)}`]: 1 } });
    expect(hostile.body.error).toMatch(/^Unknown field `\\u001b\[31m\\nx{80,100}`\. Known fields: `dryRun`, `namespace`$/);
  });

  it('of a probe changes nothing', async () => {
    for (const path of OPEN) expect((await server.call('GET', `${path}?at=1`)).status).toBe(200);
  });
});

it('a line of an import may hold what Lore does not know', async () => {
  const options = { body: '{"content":"From another tool","rating":5}', headers: { 'content-type': 'application/x-ndjson' } };
  expect((await server.call('POST', '/api/import?dryRun=true', options)).body).toMatchObject({ stored: 1, invalid: 0 });
});
