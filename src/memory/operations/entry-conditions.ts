import { z } from 'zod';
import { fieldsWith, type ENTRY_FIELDS, type EntryField, type FieldsWith } from '../entry-fields.ts';
import { EntryId, Namespace, Tags } from '../entry.ts';
import { ENTRY_KINDS } from '../vocabulary.ts';

export const Instant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()])
  .meta({ description: 'ISO 8601; UTC if it has no zone.', examples: ['2026-01-31T12:00:00Z'] });
export const Ratio = z.number().min(0).max(1);

/** Maximum number of ids in one request. */
export const MAX_SELECTED_IDS = 1000;
export const SelectedIds = z.array(EntryId).min(1).max(MAX_SELECTED_IDS);

type Fields = typeof ENTRY_FIELDS;
type Ranged = FieldsWith<{ filter: 'range' }>;
type Input<Field> = Field extends { input: infer Schema extends z.ZodType }
  ? Schema
  : Field extends { schema: infer Schema extends z.ZodType }
    ? Schema
    : never;
type Range<Schema extends z.ZodType> = z.ZodObject<{ min: z.ZodOptional<Schema>; max: z.ZodOptional<Schema> }, z.core.$strict>;
type FieldConditions = { readonly [Name in FieldsWith<{ filter: 'is' }> & keyof Fields]: z.ZodOptional<Input<Fields[Name]>> } & {
  readonly [Name in Ranged & keyof Fields]: z.ZodOptional<Range<Input<Fields[Name]>>>;
};
type ListRanges = {
  readonly [Name in Ranged & keyof Fields as `${'min' | 'max'}${Capitalize<Name>}`]: z.ZodOptional<Input<Fields[Name]>>;
};

const ranged = fieldsWith({ filter: 'range' });
const inputOf = ({ schema, input = schema }: EntryField): z.ZodOptional => input.optional();
/** One condition for each filterable field. */
const { container, priority, source, importance, ...others } = Object.fromEntries([
  ...fieldsWith({ filter: 'is' }).map(([name, field]) => [name, inputOf(field)] as const),
  ...ranged.map(([name, field]) => [name, z.strictObject({ min: inputOf(field), max: inputOf(field) }).optional()] as const),
]) as FieldConditions;

const limitName = (limit: 'min' | 'max', name: string): string => `${limit}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
/** The other conditions in query-string form, which has no objects: `minImportance` and `maxImportance` for a range. */
export const LIST_CONDITIONS = Object.fromEntries([
  ...Object.entries(others).filter(([name]) => !ranged.some(([range]) => range === name)),
  ...ranged.flatMap(([name, field]) => [
    [limitName('min', name), inputOf(field)],
    [limitName('max', name), inputOf(field)],
  ]),
]) as Omit<typeof others, Ranged> & ListRanges;

/** Converts the `min…`/`max…` parameters of a query to range objects. */
export function withRanges<T extends object>(query: T): Omit<T, keyof ListRanges> & { [Name in Ranged]?: { min?: number; max?: number } } {
  const rest = { ...query } as Record<string, unknown>;
  for (const [name] of ranged) {
    const [min, max] = (['min', 'max'] as const).map((limit) => {
      const of = limitName(limit, name);
      const value = rest[of];
      delete rest[of];
      return value;
    });
    rest[name] = { min, max };
  }
  return rest as never;
}

/** Conditions that select entries of the whole store; an entry must match all given ones. */
export const ENTRY_CONDITIONS = {
  namespace: Namespace.optional().meta({ description: 'Default all.' }),
  container,
  tags: Tags.optional().meta({ description: 'All of these tags.' }),
  priority,
  source,
  kind: z
    .enum(ENTRY_KINDS)
    .optional()
    .meta({ description: '`file`: only passages of indexed or ingested files; `memory`: only other entries.' }),
  createdAfter: Instant.optional(),
  createdBefore: Instant.optional(),
  importance,
  ...others,
};
