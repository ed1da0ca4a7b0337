/** Maps the fields of an entry to table columns, from their definition. */
import type { DataType, Field, RecordBatch } from 'apache-arrow';
import { z } from 'zod';
import { ENTRY_FIELDS, fieldsThat, type ColumnType, type EntryField, type FieldsWith } from '../../memory/entry-fields.ts';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { builtCells, floatCells, textCells, type Column } from './cells.ts';
import { asciiColumn, numberColumn, optionalNumbers, type NameReader } from './columns.ts';

/** A row from LanceDB, with unknown values until it is read field by field. */
export type RawRow = Record<string, unknown>;

export const textOf = (row: RawRow, column: string): string => {
  const value = row[column];
  if (typeof value !== 'string') throw new LoreError('internal', `The store holds no text in the column ${column}.`);
  return value;
};
export const numberOf = (row: RawRow, column: string): number => {
  const value = row[column];
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw new LoreError('internal', `The store holds no number in the column ${column}.`);
};
export const listOf = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [...(value as Iterable<unknown>)]);
/** Stored with 32 bits, which hold six digits. */
export const importanceOf = (stored: number): number => Math.round(stored * 1e6) / 1e6;

/** Value of a flag that is not set. */
const UNSET_FLAG = 'active';

type Values = ArrayLike<unknown>;

/** Writes and reads the values of a field in a column of some type. */
interface Codec {
  readonly cells: (values: unknown[], type: DataType, name: string) => Column;
  /** One value of a row; undefined for none. */
  readonly value: (row: RawRow, column: string) => unknown;
  /** All values of a batch; undefined if there are none. */
  readonly values: (batch: RecordBatch, column: string, names: NameReader, name: string) => Values | undefined;
}

const filled = (row: RawRow, column: string): unknown => row[column] ?? undefined;
const texts = (row: RawRow, column: string): string[] | undefined => {
  const list = listOf(row[column]).filter((text) => typeof text === 'string');
  return list.length === 0 ? undefined : list;
};
const noBatch = (_batch: RecordBatch, column: string): never => {
  throw new LoreError('internal', `The column ${column} is not one that is kept in memory.`);
};
const nullFor = (values: unknown[]): (string | null)[] => values.map((value) => (value as string | undefined) ?? null);

const CODECS: Record<ColumnType, Codec> = {
  ascii: { cells: (values) => textCells(values as string[]), value: textOf, values: asciiColumn },
  text: { cells: (values) => textCells(values as string[]), value: textOf, values: (batch, column, names) => names.column(batch, column) },
  'text?': {
    cells: (values) => textCells(nullFor(values)),
    value: filled,
    values: (batch, column, names) => names.optional(batch, column),
  },
  texts: {
    cells: (values, type) =>
      builtCells(
        values.map((list) => [...((list as string[] | undefined) ?? [])]),
        type,
      ),
    value: texts,
    values: (batch, column, names) => names.lists(batch, column),
  },
  'texts?': {
    cells: (values, type) =>
      builtCells(
        values.map((list) => list ?? null),
        type,
      ),
    value: texts,
    values: noBatch,
  },
  'json?': {
    cells: (values) => textCells(values.map((value) => (value === undefined ? null : JSON.stringify(value)))),
    value: (row, column) => (typeof row[column] === 'string' ? (JSON.parse(row[column]) as unknown) : undefined),
    values: noBatch,
  },
  float32: {
    cells: (values) => floatCells(Float32Array.from(values as number[])),
    value: (row, column) => importanceOf(numberOf(row, column)),
    values: (batch, column) => Array.from(numberColumn(batch, column), importanceOf),
  },
  float64: { cells: (values) => floatCells(Float64Array.from(values as number[])), value: numberOf, values: numberColumn },
  'float64?': {
    cells: (values, type) =>
      builtCells(
        values.map((value) => value ?? null),
        type,
      ),
    value: filled,
    values: optionalNumbers,
  },
  flag: {
    cells: (values, _type, name) => textCells(values.map((set) => (set === true ? name : UNSET_FLAG))),
    value: (row, column) => (row[column] === UNSET_FLAG ? undefined : true),
    values: (batch, column, names, name) => names.column(batch, column).map((text) => text === name),
  },
};

interface KeptField {
  readonly name: string;
  readonly column: string;
  readonly codec: Codec;
  /** A value of an enumeration as this version knows it. */
  readonly known: ((word: unknown) => unknown) | undefined;
}

function keptField([name, { schema, column, unknown }]: [string, EntryField]): KeptField[] {
  if (column === undefined) return [];
  const words = new Set<unknown>(schema instanceof z.ZodEnum ? schema.options : []);
  const known = unknown === undefined ? undefined : (word: unknown) => (words.has(word) ? word : unknown);
  return [{ name, column: column[0], codec: CODECS[column[1]], known }];
}

/** The columns of the entry fields: writing them, and reading them from one row or a batch. */
export class FieldColumns {
  /** Columns of fields that are not in the catalog. */
  readonly textColumns: readonly string[];
  /** Columns of fields in the catalog. */
  readonly catalogColumns: readonly string[];
  readonly #byColumn: ReadonlyMap<string, KeptField>;
  readonly #texts: readonly KeptField[];
  readonly #catalog: readonly KeptField[];
  readonly #optional: readonly string[];

  constructor(fields: Readonly<Record<string, EntryField>>) {
    this.#texts = fieldsThat(({ catalog }) => catalog === undefined, fields).flatMap(keptField);
    this.#catalog = fieldsThat(({ catalog }) => catalog, fields).flatMap(keptField);
    this.#optional = fieldsThat(({ catalog, optional, column }) => catalog && optional && column?.[1] !== 'flag', fields).map(
      ([name]) => name,
    );
    this.textColumns = this.#texts.map(({ column }) => column);
    this.catalogColumns = this.#catalog.map(({ column }) => column);
    this.#byColumn = new Map([...this.#texts, ...this.#catalog].map((field) => [field.column, field]));
  }

  /** The values of a column for these entries; undefined for a column that is not a field. */
  cells(entries: readonly Entry[], { name: column, type }: Field): Column | undefined {
    const field = this.#byColumn.get(column);
    if (field === undefined) return undefined;
    const { name, codec } = field;
    return codec.cells(
      entries.map((entry) => entry[name as keyof Entry]),
      type as DataType,
      name,
    );
  }

  /** The fields of a row that are not in the catalog. */
  texts(row: RawRow): EntryTexts {
    const read: Record<string, unknown> = {};
    for (const { name, column, codec } of this.#texts) {
      const value = codec.value(row, column);
      if (value !== undefined) read[name] = value;
    }
    return read as EntryTexts;
  }

  /** One text field; its column must have been read. */
  text<Name extends keyof EntryTexts>(row: RawRow, name: Name): EntryTexts[Name] {
    const { column, codec } = this.#texts.find((field) => field.name === name) as KeptField;
    return codec.value(row, column) as EntryTexts[Name];
  }

  /** All text fields of an entry. */
  textsIn(entry: EntryTexts): EntryTexts {
    const texts: Record<string, unknown> = {};
    for (const { name } of this.#texts) {
      const value = entry[name as keyof EntryTexts];
      if (value !== undefined) texts[name] = value;
    }
    return texts as EntryTexts;
  }

  /** The optional catalog fields of an entry or its metadata, without flags. */
  optional(from: object): OptionalCatalogFields {
    const found: Record<string, unknown> = {};
    for (const name of this.#optional) {
      const value = (from as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  /** The catalog fields of all rows of a batch, by name; a field without values is absent. */
  catalog(batch: RecordBatch, names: NameReader): (readonly [name: string, values: Values])[] {
    return this.#catalog.flatMap(({ name, column, codec, known }) => {
      const values = codec.values(batch, column, names, name);
      if (values === undefined) return [];
      return [[name, known === undefined ? values : Array.from(values, known)] as const];
    });
  }
}

export const ENTRY_COLUMNS = new FieldColumns(ENTRY_FIELDS);
/** The optional fields of the catalog. */
export type OptionalCatalogFields = Partial<Omit<Pick<Entry, FieldsWith<{ catalog: true; optional: true }>>, 'superseded'>>;
/** The part of an entry that is not in the catalog. */
export type EntryTexts = Omit<Entry, FieldsWith<{ catalog: true }> | 'recalls' | 'lastRecalledAt'>;
