/** Parses client input into a request, or throws one sentence that names the fault. */
import { z } from 'zod';
import { LoreError } from './errors.ts';
import { nearestName } from './nearest-name.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Name of the members of a request: `field` in a body, `parameter` in a query string, `argument` in a tool call. */
type Part = 'field' | 'parameter' | 'argument';

/**
 * Parses `input`; throws `invalid_input` with the first fault, such as `tags[3] must not be empty`, without a full stop. Unknown members of
 * strict schemas come first: a misspelt field is often the reason why another one is missing.
 */
export function parseRequest<T extends z.ZodObject>(
  schema: T,
  input: Readonly<Record<string, unknown>>,
  part: Part = 'field',
): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  for (const issue of issues) if (issue.code === 'unrecognized_keys') throw unknownPart(issue, schema, part);
  throw new LoreError('invalid_input', sentence(worstIssue(issues, input, schema), input, schema));
}

/** Throws `invalid_input` for the first of `names` that `schema` does not know. */
export function requireKnownNames(names: Iterable<string>, schema: z.ZodObject, part: Part): void {
  for (const name of names) if (!Object.hasOwn(schema.shape, name)) throw unknownPart({ path: [], keys: [name] }, schema, part);
}

interface Unknown {
  /** Path of the object that contains the unknown keys. */
  readonly path: Path;
  readonly keys: readonly string[];
}

function unknownPart({ path, keys: [name = ''] }: Unknown, schema: z.ZodObject, part: Part): LoreError {
  const place = fieldName(path);
  const known = Object.keys(objectAt(schema, path)?.shape ?? {});
  const near = nearestName(name, [...known, ...pathsIn(schema)]);
  const sentences = [
    `Unknown ${part} ${quotedName(path.length === 0 ? name : `${place}.${name}`)}.`,
    ...(near === undefined ? [] : [`Did you mean ${quotedName(near)}?`]),
    known.length === 0
      ? `This request takes no ${part}s`
      : `Known ${part}s${path.length === 0 ? '' : ` of ${quotedName(place)}`}: ${known.map(quotedName).join(', ')}`,
  ];
  return new LoreError('invalid_input', sentences.join(' '));
}

const MAX_SHOWN_CHARS = 100;
/** A name in backticks, cut to 100 characters and escaped as in JSON, because clients can send anything. */
export const quotedName = (name: string): string => `\`${JSON.stringify(name.slice(0, MAX_SHOWN_CHARS)).slice(1, -1)}\``;

/** The object schema at a path of a schema. */
function objectAt(schema: z.core.$ZodType, [key, ...rest]: Path): z.ZodObject | undefined {
  const inner = withoutOptional(schema);
  if (key === undefined) return inner instanceof z.ZodObject ? inner : undefined;
  const next = inner instanceof z.ZodArray ? inner.element : inner instanceof z.ZodObject ? fieldsOf(inner)[key] : undefined;
  return next && objectAt(next, rest);
}

const fieldsOf = ({ shape }: z.ZodObject): Readonly<Record<PropertyKey, z.core.$ZodType>> => shape;

/** Dotted paths of all fields, including nested objects but not list items. */
function pathsIn(schema: z.ZodObject, place = ''): string[] {
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const path = `${place}${name}`;
    const inner = withoutOptional(field);
    return inner instanceof z.ZodObject ? [path, ...pathsIn(inner, `${path}.`)] : [path];
  });
}

function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap()) : schema;
}

function worstIssue(issues: readonly Issue[], input: unknown, schema: z.ZodObject): Issue | undefined {
  // Our own bounds give a clearer message than the number format, which zod checks first.
  return issues.find((issue) => isMissing(issue, input, schema)) ?? issues.find((issue) => !('note' in issue)) ?? issues[0];
}

function sentence(issue: Issue | undefined, input: unknown, schema: z.ZodObject): string {
  if (!issue) return 'The request is not valid.';
  const name = fieldName(issue.path);
  if (isMissing(issue, input, schema)) return `${name} is required`;
  return `${name} ${issue.message.startsWith('must ') ? issue.message : wording(issue)}`;
}

/** A required field that is null counts as missing. */
function isMissing(issue: Issue, input: unknown, schema: z.ZodObject): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return false;
  const value = valueAt(input, issue.path);
  if (value === undefined) return true;
  if (value !== null || issue.path.length !== 1) return false;
  const fields = schema.shape as Readonly<Record<string, z.ZodType>>;
  return fields[String(issue.path[0])]?.safeParse(undefined).success === false;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function fieldName(path: Path): string {
  if (path.length === 0) return 'the request';
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** Verb of a bound for values that are not numbers. */
const BOUNDED: Readonly<Record<string, string>> = { array: 'have', string: 'have' };
const UNITS: Readonly<Record<string, string>> = { array: ' items', string: ' characters' };

type Wordings = { readonly [C in Issue['code']]: (issue: Extract<Issue, { code: C }>) => string };
const unfit = (): string => 'is not valid';
const WORDINGS: Wordings = {
  invalid_type: (issue) => `must be ${TYPES[issue.expected] ?? 'of another type'}`,
  too_small: ({ origin, minimum }) => `must ${BOUNDED[origin] ?? 'be'} at least ${minimum}${UNITS[origin] ?? ''}`,
  too_big: ({ origin, maximum }) => `must ${BOUNDED[origin] ?? 'be'} at most ${maximum}${UNITS[origin] ?? ''}`,
  invalid_value: (issue) => `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`,
  invalid_union: (issue) => (isInstant(issue.errors.flat()) ? 'must be an ISO 8601 date or time' : 'does not have an allowed form'),
  invalid_format: unfit,
  not_multiple_of: unfit,
  unrecognized_keys: unfit,
  invalid_key: unfit,
  invalid_element: unfit,
  custom: unfit,
};

function wording<C extends Issue['code']>(issue: Extract<Issue, { code: C }>): string {
  const word: (issue: Extract<Issue, { code: C }>) => string = WORDINGS[issue.code];
  return word(issue);
}

function isInstant(issues: readonly Issue[]): boolean {
  return issues.every(
    (issue) =>
      (issue.code === 'invalid_type' && issue.expected === 'string') ||
      (issue.code === 'invalid_format' && issue.format.startsWith('date')),
  );
}
