/** Turns what a client sent into a request, or into one sentence about what is wrong with it. */
import type { z } from 'zod';
import { LoreError } from '../memory/errors.ts';

type Issue = z.core.$ZodIssue;

/** Parses `input`; throws `invalid_input` with the first fault in words such as `tags[3] must not be empty`. */
export function parseRequest<T extends z.ZodObject>(schema: T, input: Readonly<Record<string, unknown>>): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new LoreError('invalid_input', sentence(worstIssue(parsed.error.issues, input, schema), input, schema));
}

function worstIssue(issues: readonly Issue[], input: unknown, schema: z.ZodObject): Issue | undefined {
  // A bound of our own says more than the bound of the number format, which zod checks first.
  return issues.find((issue) => isMissing(issue, input, schema)) ?? issues.find((issue) => !('note' in issue)) ?? issues[0];
}

function sentence(issue: Issue | undefined, input: unknown, schema: z.ZodObject): string {
  if (!issue) return 'The request is not valid.';
  const name = fieldName(issue.path);
  if (isMissing(issue, input, schema)) return `${name} is required`;
  return `${name} ${issue.message.startsWith('must ') ? issue.message : wording(issue)}`;
}

/** A required field counts as missing also when it is null. */
function isMissing(issue: Issue, input: unknown, schema: z.ZodObject): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return false;
  const value = valueAt(input, issue.path);
  if (value === undefined) return true;
  if (value !== null || issue.path.length !== 1) return false;
  const fields = schema.shape as Readonly<Record<string, z.ZodType>>;
  return fields[String(issue.path[0])]?.safeParse(undefined).success === false;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function fieldName(path: readonly PropertyKey[]): string {
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
};

type Wordings = { readonly [C in Issue['code']]: (issue: Extract<Issue, { code: C }>) => string };
const unfit = (): string => 'is not valid';
const WORDINGS: Wordings = {
  invalid_type: (issue) => `must be ${TYPES[issue.expected] ?? 'of another type'}`,
  too_small: (issue) => `must be at least ${issue.minimum}`,
  too_big: (issue) => `must be at most ${issue.maximum}`,
  invalid_value: (issue) => `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`,
  invalid_union: (issue) => (isInstant(issue.errors.flat()) ? 'must be an ISO 8601 date or time' : 'has none of the allowed forms'),
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
