import type { Data, DataType, Field, FixedSizeList, List, RecordBatch, Schema, Table } from 'apache-arrow';
import { PRIORITIES, SOURCES, type Entry, type Priority, type Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { arrow, vectorColumnsOf, vectorType, type VectorColumns } from './schema.ts';

/** The vectors of one entry, all of one embedder. */
export interface EntryVectors {
  /** Fingerprint of the embedder that made them. */
  readonly embedder: string;
  /** Of the first passage, or of the whole text. Unit length. */
  readonly first: Float32Array;
  /** Of the further passages of a long text, in order; empty for short text. */
  readonly further: readonly Float32Array[];
}

/** An entry with what the indexes are made from. */
export interface EntryRow {
  readonly entry: Entry;
  readonly searchText: string;
  /** Undefined while no model has answered. */
  readonly vectors: EntryVectors | undefined;
}

/** One version of an entry; a later one has a higher `writtenAt`. */
export interface StoredRow extends EntryRow {
  readonly writtenAt: number;
}

/** Refuses what LanceDB would store silently wrong: another width (zero-padded), non-finite numbers, an all-zero vector. */
export function checkVector(vector: Float32Array, width: number): void {
  if (vector.length !== width) throw new LoreError('internal', `An embedding has ${vector.length} numbers; this store holds ${width}.`);
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!Number.isFinite(sum) || sum === 0) throw new LoreError('internal', 'An embedding is all zero or not finite.');
}

/** `status` of a row that a newer entry takes the place of. */
export const SUPERSEDED = 'superseded';

/**
 * The column of `arrivedAt`. Every store has had it from the first version on, and recalls were always counted in a table of their own, so it
 * was empty: a column of another name would be a new format of the store.
 */
export const ARRIVED_AT = 'last_recalled_at';

/** One column of a batch, whatever its type. */
type Column = Data<DataType>;

/** Builds the columnar batch that `add` takes, ten times as fast as records. */
export function toArrowTable(rows: readonly StoredRow[], schema: Schema): Table {
  const cells: Record<string, (field: Field) => Column> = {
    id: utf8(rows, (row) => row.entry.id),
    content: utf8(rows, (row) => row.entry.content),
    search_text: utf8(rows, (row) => row.searchText),
    summary: utf8(rows, (row) => row.entry.summary ?? null),
    namespace: utf8(rows, (row) => row.entry.namespace),
    container: utf8(rows, (row) => row.entry.container),
    tags: built(rows, (row) => [...row.entry.tags]),
    entities: built(rows, (row) => [...(row.entry.entities ?? [])]),
    priority: utf8(rows, (row) => row.entry.priority),
    importance: floats32(rows, (row) => row.entry.importance),
    source: utf8(rows, (row) => row.entry.source),
    source_ref: utf8(rows, (row) => (row.entry.sourceRef === undefined ? null : JSON.stringify(row.entry.sourceRef))),
    created_at: floats64(rows, (row) => row.entry.createdAt),
    updated_at: floats64(rows, (row) => row.entry.updatedAt),
    written_at: floats64(rows, (row) => row.writtenAt),
    [ARRIVED_AT]: built(rows, (row) => row.entry.arrivedAt ?? null),
    recall_count: ints(rows, () => 0),
    status: utf8(rows, (row) => (row.entry.superseded === true ? SUPERSEDED : 'active')),
    content_hash: utf8(rows, (row) => row.entry.contentHash),
    passage_count: ints(rows, (row) => row.vectors?.further.length ?? 0),
    embedder: utf8(rows, (row) => row.vectors?.embedder ?? ''),
    ...Object.fromEntries(vectorColumnsOf(schema).flatMap((columns) => vectorCells(rows, columns))),
  };
  const children = schema.fields.map((field) => {
    const make = cells[field.name];
    if (make === undefined) throw new LoreError('internal', `The column ${field.name} is not one that this version of Lore writes.`);
    return make(field);
  });
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

const built =
  (rows: readonly StoredRow[], pick: (row: StoredRow) => unknown) =>
  (field: Field): Column =>
    arrow.vectorFromArray(rows.map(pick), field.type as DataType).data[0] as Column;

const floats32 = (rows: readonly StoredRow[], pick: (row: StoredRow) => number) => (): Column =>
  arrow.makeData({ type: new arrow.Float32(), length: rows.length, nullCount: 0, data: Float32Array.from(rows.map(pick)) });
const floats64 = (rows: readonly StoredRow[], pick: (row: StoredRow) => number) => (): Column =>
  arrow.makeData({ type: new arrow.Float64(), length: rows.length, nullCount: 0, data: Float64Array.from(rows.map(pick)) });
const ints = (rows: readonly StoredRow[], pick: (row: StoredRow) => number) => (): Column =>
  arrow.makeData({ type: new arrow.Int32(), length: rows.length, nullCount: 0, data: Int32Array.from(rows.map(pick)) });

const utf8 = (rows: readonly StoredRow[], pick: (row: StoredRow) => string | null) => (): Column => {
  const texts = rows.map(pick);
  const bytes = texts.map((text) => (text === null ? null : Buffer.from(text)));
  const valueOffsets = new Int32Array(rows.length + 1);
  const nulls = bitmap(rows.length, (index) => bytes[index] !== null);
  for (const [index, part] of bytes.entries()) valueOffsets[index + 1] = valueOffsets[index]! + (part?.length ?? 0);
  const data = Buffer.concat(bytes.filter((part) => part !== null));
  return arrow.makeData({ type: new arrow.Utf8(), length: rows.length, valueOffsets, data, ...nulls });
};

function bitmap(length: number, present: (index: number) => boolean): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array((length + 7) >> 3);
  let nullCount = 0;
  for (let index = 0; index < length; index += 1) {
    if (present(index)) nullBitmap[index >> 3]! |= 1 << (index & 7);
    else nullCount += 1;
  }
  return { nullCount, nullBitmap };
}

function vectorData(vectors: readonly (Float32Array | undefined)[], width: number): Data<FixedSizeList> {
  const values = new Float32Array(vectors.length * width);
  for (const [index, vector] of vectors.entries()) {
    if (vector === undefined) continue;
    checkVector(vector, width);
    values.set(vector, index * width);
  }
  const child = arrow.makeData({ type: new arrow.Float32(), length: values.length, nullCount: 0, data: values });
  return arrow.makeData({
    type: vectorType(width),
    length: vectors.length,
    child,
    ...bitmap(vectors.length, (index) => vectors[index] !== undefined),
  });
}

/** A row fills the columns of its own width; those of another model's width stay null. */
function vectorCells(rows: readonly EntryRow[], { width, first, further }: VectorColumns): [string, () => Column][] {
  const own = rows.map(({ vectors }) => (vectors?.first.length === width ? vectors : undefined));
  const firsts = (): Column =>
    vectorData(
      own.map((vectors) => vectors?.first),
      width,
    );
  const furthers = (): Column =>
    vectorLists(
      own.map((vectors) => vectors?.further ?? []),
      width,
    );
  return [
    [first, firsts],
    [further, furthers],
  ];
}

function vectorLists(lists: readonly (readonly Float32Array[])[], width: number): Column {
  const valueOffsets = new Int32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) valueOffsets[index + 1] = valueOffsets[index]! + list.length;
  const type = new arrow.List(new arrow.Field('item', vectorType(width), true));
  const nulls = bitmap(lists.length, (index) => lists[index]!.length > 0);
  const child: Data<FixedSizeList> = vectorData(lists.flat(), width);
  return arrow.makeData<List<FixedSizeList>>({ type, length: lists.length, valueOffsets, child, ...nulls });
}

/** A row as LanceDB hands it out: unknown until read field by field here. */
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
const listOf = (value: unknown): unknown[] => (value === null || value === undefined ? [] : [...(value as Iterable<unknown>)]);
const memberOf = <T extends string>(words: readonly T[], text: string, otherwise: T): T => words.find((word) => word === text) ?? otherwise;

export const priorityOf = (text: string): Priority => memberOf<Priority>(PRIORITIES, text, 'normal');
export const sourceOf = (text: string): Source => memberOf<Source>(SOURCES, text, 'api');
/** Stored as 32 bits; six digits are what those hold. */
export const importanceOf = (stored: number): number => Math.round(stored * 1e6) / 1e6;

/** The part of an entry that the directory does not know. */
export type EntryTexts = Pick<Entry, 'content' | 'summary' | 'sourceRef' | 'entities'>;

export const TEXT_COLUMNS = ['content', 'summary', 'source_ref', 'entities'] as const;

/** The column `entities` of a row. */
export const namesOf = (row: RawRow): string[] => listOf(row['entities']).filter((name) => typeof name === 'string');

/** The column `source_ref` of a row. */
export function sourceRefIn({ source_ref: text }: RawRow): Record<string, unknown> | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : undefined;
}

export function textsOf(row: RawRow): EntryTexts {
  const { summary } = row;
  const sourceRef = sourceRefIn(row);
  const entities = namesOf(row);
  return {
    content: textOf(row, 'content'),
    ...(sourceRef === undefined ? {} : { sourceRef }),
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(entities.length > 0 ? { entities } : {}),
  };
}

const toVector = (value: unknown): Float32Array | undefined =>
  value === null || value === undefined ? undefined : Float32Array.from(value as Iterable<number>);

/** Reads the vectors of one row, from whichever vector columns hold them. */
export function vectorsOf(row: RawRow, columns: readonly VectorColumns[]): EntryVectors | undefined {
  const filled = columns.find(({ first }) => row[first] !== null && row[first] !== undefined);
  const first = filled === undefined ? undefined : toVector(row[filled.first]);
  if (filled === undefined || first === undefined) return undefined;
  const further = listOf(row[filled.further]).flatMap((value) => toVector(value) ?? []);
  return { embedder: textOf(row, 'embedder'), first, further };
}

/**
 * The rows of a batch, read through its columns: ten times as fast as the row objects of Arrow, which look every field up by name.
 */
export function rowsOf(batch: RecordBatch, names: readonly string[]): RawRow[] {
  const columns = names.map((name) => [name, batch.getChild(name)] as const);
  return Array.from({ length: batch.numRows }, (_, index) => {
    const row: RawRow = {};
    for (const [name, column] of columns) row[name] = column?.get(index);
    return row;
  });
}
