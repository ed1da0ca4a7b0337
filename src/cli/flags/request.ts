import { z } from 'zod';
import { Namespace } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { parseRequest } from '../../memory/validation.ts';

/** The value of `--namespace`. */
export const NamedNamespace = z.object({ namespace: Namespace.optional() });

/** The field that a flag sets, if it is not the name of the flag in camel case. */
const FIELDS = {
  tag: 'tags',
  mode: 'searchMode',
  after: 'createdAfter',
  before: 'createdBefore',
  permanently: 'permanent',
  'min-importance': 'importance.min',
  'max-importance': 'importance.max',
} as const satisfies Readonly<Record<string, string>>;
const FLAGS: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(FIELDS).map(([flag, field]) => [field, flag]));
type CamelCase<Name> = Name extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : Name;
/** Path of the field that a flag sets. */
export type FieldOf<Name> = Name extends keyof typeof FIELDS ? (typeof FIELDS)[Name] : CamelCase<Name>;
const camelCase = (flag: string): string => flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebabCase = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Place {
  readonly isCondition: boolean;
  readonly name: string;
  /** Of an object such as `importance`. */
  readonly member: string | undefined;
  readonly field: z.core.$ZodType;
}

/** The request field of a flag: in the schema or in its `filter`; undefined if the flag sets no field. */
function placeOf(schema: z.ZodObject, flag: string): Place | undefined {
  const filter = schema.shape['filter'] as z.ZodOptional<z.ZodObject> | undefined;
  for (const path of [camelCase(flag), (FIELDS as Readonly<Record<string, string>>)[flag]]) {
    const [name = '', member] = path?.split('.') ?? [];
    for (const [isCondition, shape] of [
      [false, schema.shape],
      [true, filter?.unwrap().shape ?? {}],
    ] as const) {
      const field: z.core.$ZodType | undefined = Object.hasOwn(shape, name) ? (shape as z.core.$ZodShape)[name] : undefined;
      if (field !== undefined) return { isCondition, name, member, field: member === undefined ? field : memberOf(field, member) };
    }
  }
  return undefined;
}

const memberOf = (field: z.core.$ZodType, member: string): z.core.$ZodType =>
  (field as z.ZodOptional<z.ZodObject<Record<string, z.core.$ZodType>>>).unwrap().shape[member] as z.core.$ZodType;

/** The schema of the field that a flag sets, without what makes it optional; undefined if the request has none. */
export function fieldFor(schema: z.ZodObject, flag: string): z.core.$ZodType | undefined {
  const place = placeOf(schema, flag);
  return place && withoutWrappers(place.field);
}

/** The schema inside of optional, default and codec. */
function withoutWrappers(field: z.core.$ZodType): z.core.$ZodType {
  const { innerType, in: from } = field._zod.def as { readonly innerType?: z.core.$ZodType; readonly in?: z.core.$ZodType };
  const inner = innerType ?? from;
  return inner === undefined ? field : withoutWrappers(inner);
}

/** The request fields set by flags: those of the schema, or of its `filter`. Flags that are not fields are left out, and so is `false`. */
export function fieldsOf(schema: z.ZodObject, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  for (const [flag, value] of Object.entries(flags)) {
    const place = value === undefined || value === false ? undefined : placeOf(schema, flag);
    if (place === undefined) continue;
    const { isCondition, name, member } = place;
    const target = isCondition ? filter : fields;
    target[name] = member === undefined ? value : { ...(target[name] as object | undefined), [member]: value };
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
