import { z } from 'zod';
import { Namespace } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { parseRequest } from '../../memory/validation.ts';

/** The value of `--namespace`. */
export const NamedNamespace = z.object({ namespace: Namespace.optional() });

/** The field that a flag sets, if it is not the name of the flag in camel case. */
const FIELDS: Readonly<Record<string, string>> = {
  tag: 'tags',
  mode: 'searchMode',
  after: 'createdAfter',
  before: 'createdBefore',
  'min-importance': 'importance.min',
  'max-importance': 'importance.max',
};
const FLAGS = Object.fromEntries(Object.entries(FIELDS).map(([flag, field]) => [field, flag]));
const camelCase = (flag: string): string => flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebabCase = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The request fields set by flags: those of the schema, or of its `filter`. Flags that are not fields are left out, and so is `false`. */
export function fieldsOf(schema: z.ZodObject, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  const conditions = (schema.shape['filter'] as z.ZodOptional<z.ZodObject> | undefined)?.unwrap().shape ?? {};
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined || value === false) continue;
    for (const path of [camelCase(flag), FIELDS[flag]]) {
      if (path === undefined) continue;
      const [name = '', member] = path.split('.');
      const place = name in schema.shape ? fields : name in conditions ? filter : undefined;
      if (place === undefined) continue;
      place[name] = member === undefined ? value : { ...(place[name] as object | undefined), [member]: value };
      break;
    }
  }
  return { ...fields, ...(Object.keys(filter).length > 0 && { filter }) };
}

/**
 * Validates values from the command line against a request schema; undefined means not given. Throws `invalid_input` with the message of
 * the HTTP API, but with the command line name of each field: from `names`, or else the flag of the field.
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
  return message.replace(/^([a-z][\w.]*)(?:\[\d+\])?/, (_, path: string) => names[path] ?? flagOf(path));
}

function flagOf(path: string): string {
  const field = path.replace(/^filter\./, '');
  return `--${FLAGS[field] ?? kebabCase(field)}`;
}

/** Recursively. */
function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) kept[key] = isRecord(value) ? withoutUndefined(value) : value;
  }
  return kept;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
