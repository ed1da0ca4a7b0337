/** Parses query strings by the same schemas as JSON bodies. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import type { LoreMiddleware, LoreRequest } from './exchange.ts';
import { parseRequest, requireKnownNames, quotedName } from '../memory/validation.ts';

const NO_PARAMETERS = z.strictObject({});

interface TakesQuery extends LoreMiddleware {
  readonly query?: z.ZodObject;
}

/** A handler with the query parameters of `schema`. Numbers, booleans and comma-separated lists are parsed. */
export function withQuery<T extends z.ZodObject>(
  schema: T,
  handle: (req: LoreRequest, res: ServerResponse, query: z.output<T>) => void | Promise<void>,
): LoreMiddleware {
  return acceptingQuery(schema, (req, res) => handle(req, res, readQuery(schema, req)));
}

/** Marks a handler so that its route accepts the parameters of `schema`. */
export function acceptingQuery(query: z.ZodObject, handler: LoreMiddleware): LoreMiddleware {
  const copy: LoreMiddleware = (req, res, next) => handler(req, res, next);
  return Object.assign(copy, { query });
}

/**
 * Refuses parameters that no handler of a route accepts, and repeated ones. Runs before the handlers of every route, so that a route accepts
 * only the parameters it names and the `common` ones.
 */
export function knownParameters(handlers: readonly TakesQuery[], common: z.ZodObject = NO_PARAMETERS): LoreMiddleware {
  const { query = NO_PARAMETERS } = handlers.find((handler) => handler.query !== undefined) ?? {};
  const known = query.extend(common.shape);
  return (req, _res, next) => {
    requireKnownNames(parameters(req.search).keys(), known, 'parameter');
    readQuery(common, req);
    void next();
  };
}

/** Parses the query of a request by `schema`. */
export function readQuery<T extends z.ZodObject>(schema: T, req: LoreRequest): z.output<T> {
  const given = parameters(req.search);
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const text = given.get(name);
    if (text !== undefined) input[name] = fromText(text, parameterType(field));
  }
  return parseRequest(schema, input, 'parameter');
}

/** One parameter as a string; undefined if it is absent. */
export function queryParameter(req: LoreRequest, name: string): string | undefined {
  return parameters(req.search).get(name);
}

function parameters(search: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of (search ?? '').replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    if (found.has(name)) throw new LoreError('invalid_input', `${quotedName(name)} must be given only once`);
    found.set(name, at < 0 ? '' : decoded(pair.slice(at + 1)));
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new LoreError('invalid_input', 'The query string is not percent-encoded UTF-8.', { cause });
  }
}

/** The type that a parameter is parsed as. */
export function parameterType(field: z.core.$ZodType): string {
  return field instanceof z.ZodOptional ? parameterType(field.unwrap()) : field._zod.def.type;
}

/** Parses a parameter. A string that does not parse stays a string, so that the schema refuses it. */
function fromText(text: string, kind: string): unknown {
  if (kind === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'array') return listFromText(trimmed(text));
  return text;
}

/** `trim` also removes a zero-width no-break space. Names may not contain one, so the schema must see it. */
const trimmed = (text: string): string => text.replaceAll(/^[^\S\ufeff]+|[^\S\ufeff]+$/g, '');

/** Parses a list: comma-separated, or a JSON array for values with commas or outer blanks. */
function listFromText(text: string): unknown {
  if (text === '') return [];
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text);
    } catch {
      // A value can begin with a bracket.
    }
  }
  return text.split(',').map(trimmed);
}
