import { expect, it } from 'vitest';
import { z } from 'zod';
import { fieldFlags } from '../../src/cli/flags/field-flags.ts';
import { fieldsOf } from '../../src/cli/flags/request.ts';

const Request = z.strictObject({
  tags: z.array(z.string()).optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  createdAfter: z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }).optional(),
  dryRun: z.boolean().optional(),
  filter: z.strictObject({ importance: z.strictObject({ min: z.number().optional() }).optional(), minLength: z.number() }).optional(),
});

it('a flag accepts what its field of the request accepts', () => {
  const flags = fieldFlags(Request, {
    tag: { char: 't', description: 'A tag.' },
    order: 'Order.',
    after: { helpValue: 'DATE', description: 'Only later.' },
    'dry-run': 'Only show.',
    'min-importance': 'At least this.',
    'min-length': 'At least as long.',
  });
  expect(flags).toMatchObject({
    tag: { type: 'option', multiple: true, char: 't', description: 'A tag.' },
    order: { type: 'option', multiple: false, options: ['newest', 'oldest'] },
    after: { type: 'option', multiple: false, helpValue: 'DATE' },
    'dry-run': { type: 'boolean', description: 'Only show.' },
    'min-importance': { type: 'option', helpValue: 'N' },
    'min-length': { type: 'option', helpValue: 'N' },
  });
});

it('the values of flags go to their fields', () => {
  const given = { tag: ['a'], after: '2026-01-01', 'min-importance': 0.5, 'min-length': 3, 'dry-run': false, order: undefined, yes: true };
  expect(fieldsOf(Request, given)).toEqual({
    tags: ['a'],
    createdAfter: '2026-01-01',
    filter: { importance: { min: 0.5 }, minLength: 3 },
  });
});

it('a flag without a field is refused when the command is loaded', () => {
  expect(() => fieldFlags(Request, { tagg: 'A tag.' })).toThrow('No field of the request belongs to --tagg.');
});
