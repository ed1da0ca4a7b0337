/**
 * Every field of an entry, defined once, in the order of the reference representation. The type `Entry`, the table, its rows, the catalog,
 * responses, requests, filters, history, export, import and sync derive from this table. CONTRIBUTING.md explains how to add a field.
 */
import { z } from 'zod';
import { Container, PriorityInput } from './entry-values.ts';
import { Time } from './timestamp.ts';
import { PRIORITIES, SOURCES } from './vocabulary.ts';

/**
 * Column type in the table of entries; `?`: nullable. `ascii`: text with a different value in each entry. `flag`: the name of the field if
 * it is true, else `active`. Stores of earlier versions get the column of a new field when they are opened, so the column of a new field
 * must be nullable.
 */
export type ColumnType = 'ascii' | 'text' | 'text?' | 'texts' | 'texts?' | 'json?' | 'float32' | 'float64' | 'float64?' | 'flag';

export interface EntryField {
  /** Schema of the value. A time is a number in code and a timestamp in responses. */
  readonly schema: z.ZodType;
  readonly optional?: true;
  /** Type of the column; absent if the field is not a column. */
  readonly column?: readonly [name: string, type: ColumnType];
  /** Whether the field is in the catalog; otherwise it is read with the entry. Required for filtered and synced fields. */
  readonly catalog?: true;
  /** Replacement for a value that this version does not know. */
  readonly unknown?: string;
  /** Name in the reference representation, if different. */
  readonly wire?: string;
  /** False: not in the guide representation. */
  readonly guide?: false;
  /** Set by save and update, and kept in the history. Requests take it as an optional field; null removes it. Needs `catalog`. */
  readonly given?: true;
  /** Requests filter by it: by one value, or by `min` and `max`. Needs `catalog`. */
  readonly filter?: 'is' | 'range';
  /** Schema of the filter, if it accepts more than the field. */
  readonly input?: z.ZodType;
  /** Whether export, import and sync transfer an optional field. */
  readonly carried?: true;
}

const Texts = z.array(z.string()).readonly();
const Recalls = z.int().min(0);

export const ENTRY_FIELDS = {
  id: { schema: z.uuid(), column: ['id', 'ascii'], catalog: true },
  /** The text, byte for byte. */
  content: { schema: z.string(), column: ['content', 'text'], given: true },
  namespace: { schema: z.string(), column: ['namespace', 'text'], catalog: true, given: true },
  tags: { schema: Texts, column: ['tags', 'texts'], catalog: true, given: true },
  createdAt: {
    schema: Time,
    column: ['created_at', 'float64'],
    catalog: true,
    wire: 'timestamp',
  },
  /** Length of the full content, if the request asked only for its beginning. */
  contentLength: {
    schema: z.int().min(1).meta({ description: 'Length of the full content in UTF-16 units; only if `maxContentChars` cut it.' }),
    optional: true,
  },
  /** Extractive; only for long content. */
  summary: {
    schema: z.string().meta({ description: 'Only for long content.' }),
    column: ['summary', 'text?'],
    optional: true,
  },
  /** Paths, names from code, packages, addresses, error codes and people in the content; absent if there are none. */
  entities: {
    schema: Texts.meta({
      description: 'Paths, names from code, packages, addresses, error codes and people in the content; absent if there are none.',
    }),
    column: ['entities', 'texts'],
    optional: true,
    carried: true,
  },
  container: {
    schema: z.string(),
    column: ['container', 'text'],
    catalog: true,
    given: true,
    filter: 'is',
    input: Container,
  },
  priority: {
    schema: z.enum(PRIORITIES),
    column: ['priority', 'text'],
    unknown: 'normal',
    catalog: true,
    given: true,
    filter: 'is',
    input: PriorityInput,
  },
  /** 0..1, higher matters more. */
  importance: {
    schema: z.number().min(0).max(1),
    column: ['importance', 'float32'],
    catalog: true,
    given: true,
    filter: 'range',
  },
  source: {
    schema: z.enum(SOURCES),
    column: ['source', 'text'],
    unknown: 'api',
    catalog: true,
    filter: 'is',
  },
  /** Origin of the text (file and lines, URL …); JSON-serialisable. */
  sourceRef: {
    schema: z.record(z.string(), z.unknown()).readonly().meta({ description: 'Origin of the text.' }),
    column: ['source_ref', 'json?'],
    optional: true,
    guide: false,
    carried: true,
  },
  updatedAt: { schema: Time, column: ['updated_at', 'float64'], catalog: true },
  /** SHA-256 of the content in NFC, hexadecimal. */
  contentHash: {
    schema: z.string().meta({ description: 'SHA-256 of the NFC form of the content, hexadecimal.' }),
    column: ['content_hash', 'ascii'],
    catalog: true,
    guide: false,
  },
  /** A newer entry replaces it (a relation `supersedes` points at it). Searches leave it out unless asked. */
  superseded: {
    schema: z.literal(true).meta({ description: 'A newer entry replaces it: searches leave it out unless `includeSuperseded` is true.' }),
    column: ['status', 'flag'],
    catalog: true,
    optional: true,
  },
  /**
   * Time of arrival by import or sync, independent of the age of the entry; absent for entries saved here. Not transferred to other stores.
   * Its column `last_recalled_at` was never used for recalls, which have their own table, so it is empty in stores of earlier versions.
   */
  arrivedAt: {
    schema: Time.meta({ description: 'Time of arrival by import or sync; absent for entries saved here.' }),
    column: ['last_recalled_at', 'float64?'],
    catalog: true,
    optional: true,
  },
  /** Number of recalls and searches that returned it; only for a single requested entry, from the first use on. */
  recalls: {
    schema: Recalls.meta({
      description: 'Number of uses; only for a single requested entry, from the first use on.',
    }),
    optional: true,
  },
  /** Time of the last use. */
  lastRecalledAt: { schema: Time, optional: true },
} as const satisfies Record<string, EntryField>;

type Fields = typeof ENTRY_FIELDS;
/** Names of fields with these properties. */
export type FieldsWith<Kind> = keyof { [Name in keyof Fields as Fields[Name] extends Kind ? Name : never]: true };
type Optional = FieldsWith<{ optional: true }>;
type Wire<Name extends keyof Fields> = Fields[Name] extends { wire: infer Other extends string } ? Other : Name;

/** One memory, as used in all layers above the store. Times are epoch milliseconds, UTC. */
export type Entry = Readonly<
  { [Name in keyof Omit<Fields, Optional>]: z.output<Fields[Name]['schema']> } & {
    [Name in keyof Pick<Fields, Optional>]?: z.output<Fields[Name]['schema']>;
  }
>;
/** The fields with the names and value formats of the reference representation. */
export type WrittenFields = Readonly<
  { [Name in keyof Omit<Fields, Optional> as Wire<Name>]: z.input<Fields[Name]['schema']> } & {
    [Name in keyof Pick<Fields, Optional> as Wire<Name>]?: z.input<Fields[Name]['schema']>;
  }
>;

/** Names and definitions of the fields for which `are` is true. */
export function fieldsThat(
  are: (field: EntryField, name: string) => boolean | undefined,
  fields: Readonly<Record<string, EntryField>> = ENTRY_FIELDS,
): [string, EntryField][] {
  return Object.entries(fields).filter(([name, field]) => are(field, name) === true);
}

/** Names and definitions of the fields with all given properties. */
export function fieldsWith<const Kind extends Partial<EntryField>>(kind: Kind): [FieldsWith<Kind>, EntryField][] {
  const traits = Object.entries(kind) as [keyof EntryField, unknown][];
  return fieldsThat((field) => traits.every(([trait, value]) => field[trait] === value)) as [FieldsWith<Kind>, EntryField][];
}

/** Optional schema members: one for each field with the given properties. */
export function optionalShape<const Kind extends Partial<EntryField>>(
  kind: Kind,
): { readonly [Name in keyof Fields as Fields[Name] extends Kind ? Name : never]: z.ZodOptional<Fields[Name]['schema']> } {
  return Object.fromEntries(fieldsWith(kind).map(([name, { schema }]) => [name, schema.optional()])) as never;
}

/**
 * A function that copies the fields with the given properties if they have a value. It loops over names because spreading whole entries is
 * slow.
 */
function copierOf<const Kind extends Partial<EntryField>>(kind: Kind): (from: object) => Partial<Pick<Entry, FieldsWith<Kind>>> {
  const names = fieldsWith(kind).map(([name]) => name);
  return (from) => {
    const copy: Record<string, unknown> = {};
    for (const name of names) {
      const value = (from as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined && value !== null) copy[name] = value;
    }
    return copy as Partial<Pick<Entry, FieldsWith<Kind>>>;
  };
}

/** Fields transferred to other stores. */
export const carriedOf = copierOf({ carried: true });
export type Carried = FieldsWith<{ carried: true }>;

/** Fields that clients can set. */
export type Given = FieldsWith<{ given: true }>;
const GIVEN = { given: true, optional: true } as const;
/** Copies the optional fields that clients can set. */
export const givenOf = copierOf(GIVEN);
/** Names of the optional fields that clients can set. */
export const givenNames = fieldsWith(GIVEN).map(([name]) => name);
/** Schemas of the optional fields that clients can set. */
export const givenShape = optionalShape(GIVEN);
