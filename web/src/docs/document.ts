/** The parts of an OpenAPI 3.1 document that this page shows, and functions to read them. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>;
}

export interface Body {
  readonly $ref?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
  readonly deprecated?: boolean;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: unknown;
}

/** One method of one path, with everything inherited from the path. */
export interface Route {
  /** Unique in the document and valid in a URL. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
}

export interface Group {
  readonly name: string;
  readonly description: string | undefined;
  readonly routes: readonly Route[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The target of a `$ref` into this document; the value itself if it is no reference or the target is missing. */
export function resolve<T extends { readonly $ref?: string }>(document: OpenApi, thing: T): T {
  let found: T = thing;
  const seen = new Set<string>();
  while (found.$ref?.startsWith('#/') === true && !seen.has(found.$ref)) {
    seen.add(found.$ref);
    let at: unknown = document;
    for (const step of found.$ref.slice(2).split('/')) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isRecord(at) ? at[name] : undefined;
    }
    if (!isRecord(at)) return thing;
    found = at as T;
  }
  return found;
}

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function* routesOf(document: OpenApi): Generator<Route> {
  for (const [path, item] of Object.entries(document.paths)) {
    const shared = (item['parameters'] ?? []) as readonly Parameter[];
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined) continue;
      const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(document, parameter));
      const id = operation.operationId ?? `${method}${path}`.replaceAll(/[^a-z0-9]+/gi, '-');
      yield { id, method, path, operation, parameters };
    }
  }
}

/**
 * Every route under its first tag, in the order of the document's tags. Routes without a tag come last under `rest`, or under `all` if no route
 * has one.
 */
export function groupsOf(document: OpenApi, { rest, all }: { rest: string; all: string }): readonly Group[] {
  const described = new Map((document.tags ?? []).map((tag) => [tag.name, tag.description]));
  const groups = new Map<string, Route[]>([...described.keys()].map((name) => [name, []]));
  const routes = [...routesOf(document)];
  const untagged = routes.some(({ operation }) => operation.tags !== undefined) ? rest : all;
  for (const route of routes) {
    const name = route.operation.tags?.[0] ?? untagged;
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => ({ name, description: described.get(name), routes: members }));
}

/** The JSON content of a body, else the first one, with its media type. */
export function mediaOf(body: Body | undefined): readonly [string, Media] | undefined {
  const all = Object.entries(body?.content ?? {});
  return all.find(([type]) => type.includes('json')) ?? all[0];
}
