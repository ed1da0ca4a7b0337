/** The routes of the OpenAPI document and the places of their fields: a new route or field is in without being added. */
import { OPERATIONS, resolved, type Schema } from '../helpers/operations.ts';

/** One object of a request body: where it stands, and what it may hold. */
export interface Place {
  /** Such as `files[0].passages[0]`; empty for the body itself. */
  readonly at: string;
  readonly known: readonly string[];
  readonly required: readonly string[];
  /** Whether the document says that it holds nothing else. */
  readonly isClosed: boolean;
}

export interface Route {
  /** Such as `GET /api/list`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** The JSON body and every object in it whose fields are known; empty where there is no such body. */
  readonly places: readonly Place[];
  /** Whether it takes lines of JSON. */
  readonly takesLines: boolean;
}

/** The envelope of /mcp is that of another protocol. */
const ENVELOPE = '/mcp';

/** Every operation of the document. */
export const ROUTES: readonly Route[] = OPERATIONS.map(({ method, path, parameters, body }) => {
  const json = body['application/json']?.schema;
  const named = (place: string): string[] => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  return {
    name: `${method} ${path}`,
    method,
    path,
    query: named('query'),
    headers: named('header'),
    places: json && path !== ENVELOPE ? placesIn(json) : [],
    takesLines: Object.hasOwn(body, 'application/x-ndjson'),
  };
});

function placesIn(given: Schema, at = ''): readonly Place[] {
  const { items, properties, required = [], additionalProperties } = resolved(given);
  if (items) return placesIn(items, `${at}[0]`);
  if (!properties) return [];
  const inner = Object.entries(properties).flatMap(([name, field]) => placesIn(field, join(at, name)));
  return [{ at, known: Object.keys(properties), required, isClosed: additionalProperties === false }, ...inner];
}

/** The path of a field of the object at `at`. */
export function join(at: string, field: string): string {
  return at === '' ? field : `${at}.${field}`;
}

/** A body in which the object at a place of it has other fields too; `undefined` takes a field away. */
export function withFields(body: Readonly<Record<string, unknown>>, at: string, fields: Readonly<Record<string, unknown>>): unknown {
  const steps = at.split(/[.[\]]/).filter((step) => step !== '');
  if (steps.length === 0) return { ...body, ...fields };
  const root = structuredClone(body) as Record<string, unknown>;
  let parent = root;
  steps.forEach((step, nth) => {
    const empty = /^\d+$/.test(steps[nth + 1] ?? '') ? [] : {};
    const held = parent[step] ?? empty;
    parent[step] = nth === steps.length - 1 ? { ...held, ...fields } : held;
    parent = parent[step] as Record<string, unknown>;
  });
  return root;
}

/** Two entries of the store: that of the path, and another. */
export interface Ids {
  readonly id: string;
  readonly other: string;
}

/** What each route takes, and would change something with: nothing is optional that could be wrong somewhere. */
export const goodBodies = ({ id, other }: Ids): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'POST /mcp': { jsonrpc: '2.0', id: 1, method: 'ping' },
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
  'POST /api/entities': { name: 'a.ts', remove: ['a.ts'] },
  'POST /api/entities/rename': { from: 'a.ts', to: 'b.ts' },
  'POST /api/capture': { client: 'test', session: 'test', event: 'prompt', text: 'We decided to feed the heron' },
  'POST /api/capture/undo': { session: 'test' },
  'POST /api/capture/review': { ids: [id], verdict: 'keep' },
  'POST /api/restore': { since: '2000-01-01' },
  'POST /api/backups/verify': { name: '2026-01-01T00-00-00.000Z' },
  'POST /api/settings/change': { key: 'search.limit', value: '20' },
  'DELETE /api/keys': { id: '0123456789ab' },
  'POST /api/sources': { kind: 'index', root: 'r', files: [{ path: 'a.ts', hash: 'h', passages: [{ content: 'Planted' }] }] },
  'DELETE /api/sources': { kind: 'index', root: 'r', paths: ['a.ts'] },
  'POST /api/sync/digests': { namespace: 'test', buckets: 1 },
  'POST /api/sync/stamps': { namespace: 'test' },
  'POST /api/sync/entries': { namespace: 'test', ids: [id] },
  'POST /api/sync/apply': {
    namespace: 'test',
    entries: [
      {
        id,
        content: 'Not to be changed',
        container: 'test',
        tags: [],
        priority: 'normal',
        importance: 0.5,
        source: 'api',
        createdAt: 4e12,
        updatedAt: 4e12,
        vectors: { embedder: 'none', first: '', further: [] },
      },
    ],
    forgotten: [{ id: other, at: 4e12 }],
    tombstones: [{ id: other, at: 4e12 }],
    unrelated: [{ sourceId: other, targetId: id, type: 'references', at: 4e12 }],
    relations: [{ sourceId: other, targetId: id, type: 'supersedes', strength: 1, createdAt: 4e12, origin: 'manual' }],
  },
});
