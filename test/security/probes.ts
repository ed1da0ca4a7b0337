/** The requests that try what belongs to somebody else, derived from the OpenAPI document: a new route or field is in without being added. */
import { OPERATIONS, resolved, type Operation } from '../helpers/operations.ts';
import { BODIES, HARMLESS, NAMING } from './naming.ts';
import type { Names, World } from './two-namespaces.ts';

export interface Probe {
  /** Such as `GET /api/list with namespace`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One operation of the document: which fields it has, and where. */
export interface Route {
  /** Such as `GET /api/list`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly { readonly name: string; readonly place: 'path' | 'query' | 'header' | 'body' }[];
  readonly type: string | undefined;
}

/** Every operation of the document. */
export const ROUTES: readonly Route[] = OPERATIONS.map(routeOf);

function routeOf({ method, path, parameters, body }: Operation): Route {
  const [type, content] = Object.entries(body)[0] ?? [];
  const { properties = {} } = content === undefined ? {} : resolved(content.schema);
  const fields = [
    ...parameters.map(({ name, in: place }) => ({ name, place })),
    ...Object.keys(properties).map((name) => ({ name, place: 'body' as const })),
  ];
  return { name: `${method} ${path}`, method, path, fields, type };
}

/** What nobody has said anything about: fields that may or may not name something, and operations without a body to send. */
export function unknownTo(routes: readonly Route[]): string[] {
  return routes
    .filter(({ name }) => name !== 'POST /mcp')
    .flatMap(({ name, type, fields }) => [
      ...(type !== undefined && BODIES[name] === undefined ? [`a body for ${name}`] : []),
      ...fields.filter((field) => NAMING[field.name] === undefined && !HARMLESS.has(field.name)).map((field) => `${field.name} of ${name}`),
    ]);
}

/** The request as its caller would send it, with none of the names. */
export function plain(route: Route, { own }: World, query: Readonly<Record<string, unknown>> = {}): Probe {
  return request(route, { own, query, path: own[0], body: bodyOf(route, own, '') });
}

/** The requests of an operation that put one name of somebody else into one of its fields. */
export function naming(route: Route, { own }: World, names: Names): Probe[] {
  return route.fields.flatMap(({ name, place }) =>
    (NAMING[name]?.(names, route.name) ?? []).map((value) => {
      const title = `${route.name} with ${name}`;
      const body = bodyOf(route, own, name);
      const parts = { own, query: {}, path: own[0], body, title };
      if (place === 'path') return request(route, { ...parts, path: String(value) });
      if (place === 'query') return request(route, { ...parts, query: { [name]: value } });
      if (place === 'header') return request(route, { ...parts, headers: { [name]: String(value) } });
      return request(route, { ...parts, body: { ...(body as object), [name]: value } });
    }),
  );
}

function bodyOf({ name, type }: Route, own: readonly [string, string], field: string): unknown {
  return type === undefined ? undefined : BODIES[name]?.(own, field);
}

function request(
  { name, method, path, type }: Route,
  parts: {
    path: string;
    query: Readonly<Record<string, unknown>>;
    body: unknown;
    title?: string;
    headers?: Record<string, string>;
    own: unknown;
  },
): Probe {
  const pairs = Object.entries(parts.query).map(([key, value]): [string, string] => [key, String(value)]);
  const query = new URLSearchParams(pairs).toString();
  return {
    title: parts.title ?? name,
    method,
    path: `${path.replace('{id}', encodeURIComponent(parts.path))}${query === '' ? '' : `?${query}`}`,
    headers: { ...parts.headers, ...(type !== undefined && { 'content-type': type }) },
    ...(parts.body !== undefined && { body: parts.body }),
  };
}
