/** What the kinds of fields are made of, and how a kind is put to the test. */
import { z } from 'zod';
import { LoreError } from '../../src/memory/errors.ts';
import { parseRequest } from '../../src/memory/validation.ts';

/** A value, and what is said of it after the name of its field. */
export type Refused = readonly [value: unknown, reason: string];

/** Fields of one kind take the same values in every request. */
export interface Kind {
  /** As one of the requests has it. */
  readonly schema: z.ZodType;
  readonly refused: Readonly<Record<string, Refused>>;
  /** What is read as it is given. */
  readonly accepted: Readonly<Record<string, unknown>>;
  /** What is read as something else. */
  readonly changed?: Readonly<Record<string, readonly [given: unknown, read: unknown]>>;
  /** The refused values by which every route proves that its fields are of this kind. */
  readonly telling: readonly string[];
}

export const SQL = "x'; DROP TABLE entries; -- ' OR '1'='1";
export const LONE = '\ud800';

/** The same value for every name. */
export const each = (reason: string, values: Readonly<Record<string, unknown>>): Record<string, Refused> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value, reason]]));

export const NO_STRING = each('must be a string', {
  null: null,
  'a number': 5,
  'a boolean': false,
  'an array': ['a'],
  'an object': { $ne: '' },
});
export const NO_LONE = each('must be well-formed Unicode (it has a lone surrogate)', {
  'a lone surrogate': `a${LONE}`,
  'the other half alone': '\udc00b',
});
export const NO_CONTROLS = each('must not contain control characters', {
  'a control character': 'a\u0007b',
  'a NUL': 'a\0b',
  'a newline': 'a\nb',
  'an escape': 'a\u001b[31mb',
});
/** Looks dangerous, and is text like any other. */
export const DANGEROUS = {
  'SQL-looking': SQL,
  'a word of JavaScript': '__proto__',
  'a path upwards': '../../etc/passwd',
  markup: '<script>alert(1)</script>',
  'search operators': '"a" AND (b OR *) NOT ~ ^2 [x TO y]',
  'only signs': '%_\'"\\',
  emoji: '🐟',
};

/** What is said of a value after the name of its field, or what it is read as. */
export function read(schema: z.ZodType, value: unknown): { readonly reason: string } | { readonly value: unknown } {
  return outcome(() => parseRequest(z.strictObject({ field: schema.optional() }), { field: value })['field']);
}

/** The same for whatever reads a field called `field`. */
export function outcome(readField: () => unknown): { readonly reason: string } | { readonly value: unknown } {
  try {
    return { value: readField() };
  } catch (error) {
    if (!(error instanceof LoreError) || error.code !== 'invalid_input') throw error;
    return { reason: error.message.replace(/^field ?/, '') };
  }
}
