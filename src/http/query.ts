/** Query strings: the same constraints as JSON bodies, over texts. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import type { LoreMiddleware, LoreRequest } from './exchange.ts';
import { parseRequest, requireKnown, shownName } from '../memory/validation.ts';

const NO_PARAMETERS = z.strictObject({});

interface TakesQuery extends LoreMiddleware {
  readonly query?: z.ZodObject;
}

/** A handler that takes the parameters of `schema`: numbers, booleans and comma separated lists are parsed. */
export function queried<T extends z.ZodObject>(
  schema: T,
  handle: (req: LoreRequest, res: ServerResponse, query: z.output<T>) => void | Promise<void>,
): LoreMiddleware {
  return takingQuery(schema, (req, res) => handle(req, res, readQuery(schema, req)));
}

/** The same handler, whose route takes the parameters of `schema`. */
export function takingQuery(query: z.ZodObject, handler: LoreMiddleware): LoreMiddleware {
  const copy: LoreMiddleware = (req, res, next) => handler(req, res, next);
  return Object.assign(copy, { query });
}

/**
 * Refuses parameters that no handler of a route takes, and one that is given twice. Stands before the handlers of every route, so that a
 * route takes none but those it names, and `common` ones.
 */
export function knownParameters(handlers: readonly TakesQuery[], common: z.ZodObject = NO_PARAMETERS): LoreMiddleware {
  const { query = NO_PARAMETERS } = handlers.find((handler) => handler.query !== undefined) ?? {};
  const known = query.extend(common.shape);
  return (req, _res, next) => {
    requireKnown(parameters(req.search).keys(), known, 'parameter');
    readQuery(common, req);
    void next();
  };
}

/** The query of a request by `schema`. */
export function readQuery<T extends z.ZodObject>(schema: T, req: LoreRequest): z.output<T> {
  const given = parameters(req.search);
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const text = given.get(name);
    if (text !== undefined) input[name] = fromText(text, kindOf(field));
  }
  return parseRequest(schema, input, 'parameter');
}

/** One parameter as text, or undefined. */
export function queryParameter(req: LoreRequest, name: string): string | undefined {
  return parameters(req.search).get(name);
}

function parameters(search: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of (search ?? '').replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    if (found.has(name)) throw new LoreError('invalid_input', `${shownName(name)} must be given only once`);
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

/** What a text in a query is read as. */
export function kindOf(field: z.core.$ZodType): string {
  return field instanceof z.ZodOptional ? kindOf(field.unwrap()) : field._zod.def.type;
}

/** The value a text stands for; a text that does not read as its kind stays a text, for the schema to refuse. */
function fromText(text: string, kind: string): unknown {
  if (kind === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'array') return listFromText(trimmed(text));
  return text;
}

/** A zero-width no-break space is a blank to `trim`, and no name may hold one: the schema is to see it. */
const trimmed = (text: string): string => text.replaceAll(/^[^\S\ufeff]+|[^\S\ufeff]+$/g, '');

/** Commas separate; a JSON array says it exactly, for words that hold a comma or outer blanks. */
function listFromText(text: string): unknown {
  if (text === '') return [];
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text);
    } catch {
      // A word may begin with a bracket.
    }
  }
  return text.split(',').map(trimmed);
}
