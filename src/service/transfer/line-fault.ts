import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const DATES: ReadonlySet<unknown> = new Set(['timestamp', 'createdAt', 'updatedAt']);

/** The fault of a line, in plain words; `value` is the parsed line, and `within` names the part that was checked. */
export function lineFault([issue]: readonly Issue[], value: unknown, within: readonly string[] = []): string {
  if (issue === undefined) return 'is not an entry';
  const path = [...within, ...issue.path];
  const field = path.map(String).join('.');
  if (field === '') return 'must be a JSON object';
  const given = issue.path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
  if (given === undefined) return `${field} is required`;
  if (DATES.has(path.at(-1))) return `${field}: not a date`;
  return `${field} ${issue.message.startsWith('must ') ? issue.message : wording(issue)}`;
}

function wording(issue: Issue): string {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
  const unit = 'origin' in issue ? ({ string: ' characters long', array: ' long' }[String(issue.origin)] ?? '') : '';
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unit}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit}`;
  return 'is not valid';
}
