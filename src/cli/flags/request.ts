import { z } from 'zod';
import { Namespace, parseEntryId } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import { parseRequest } from '../../memory/validation.ts';

/** What `--namespace` says. */
export const NamedNamespace = z.object({ namespace: Namespace.optional() });

/**
 * Checks values from the command line against the schema of a request; what is undefined counts as not given. Throws `invalid_input` in the
 * words of the HTTP API, with each field under its name on the command line: `names` says it, or else it is the flag of the same name.
 */
export function checkedRequest<T extends z.ZodObject>(
  schema: T,
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): z.output<T> {
  try {
    return parseRequest(schema, withoutUndefined(given));
  } catch (error) {
    if (!(error instanceof LoreError)) throw error;
    throw new LoreError(error.code, `${renamed(error.message, names)}.`, { cause: error });
  }
}

/** `filter.createdAfter must be …` -> `--after must be …`. */
function renamed(message: string, names: Readonly<Record<string, string>>): string {
  return message.replace(/^([a-z][\w.]*)(?:\[\d+\])?/, (_, path: string) => names[path] ?? `--${path}`);
}

/** At every depth. */
function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) kept[key] = isRecord(value) ? withoutUndefined(value) : value;
  }
  return kept;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The stored form of an id. Text that cannot be an id names no entry: throws `not_found`, as the server does. */
export function entryId(text: string): string {
  const id = parseEntryId(text);
  if (id === undefined) throw entryNotFound(text);
  return id;
}
