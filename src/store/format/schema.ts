import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';
import type { Field, FixedSizeList, Schema } from 'apache-arrow';
import { ENTRY_FIELDS, type ColumnType, type EntryField } from '../../memory/entry-fields.ts';

/**
 * The CommonJS copy of Arrow: LanceDB is CommonJS and checks classes by identity, so tables and fields made with the ES module copy are
 * refused in some calls (`addColumns`, rerankers).
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow;

/**
 * Format version. Raised if an earlier version of Lore could no longer use the store or would damage it; migrations.ts then upgrades
 * older stores. 2: relations, archive and history tables and their log records, which version 1 would lose.
 */
export const FORMAT_VERSION = 2;

export const ENTRIES = 'entries';
export const META = 'meta';

const words = () => new arrow.List(new arrow.Field('item', new arrow.Utf8(), true));

const ARROW = {
  ascii: () => new arrow.Utf8(),
  text: () => new arrow.Utf8(),
  texts: words,
  json: () => new arrow.Utf8(),
  float32: () => new arrow.Float32(),
  float64: () => new arrow.Float64(),
  flag: () => new arrow.Utf8(),
  int32: () => new arrow.Int32(),
} as const;

const column = (name: string, type: ColumnType | 'int32'): Field =>
  new arrow.Field(name, ARROW[type.replace('?', '') as keyof typeof ARROW](), type.endsWith('?'));

/** The columns of the fields of an entry. */
export const fieldColumns = (fields: Readonly<Record<string, EntryField>> = ENTRY_FIELDS): Field[] =>
  Object.values(fields).flatMap((field) => (field.column === undefined ? [] : [column(...field.column)]));

/** The Arrow type of one vector of `width` numbers. */
export function vectorType(width: number): FixedSizeList {
  return new arrow.FixedSizeList(width, new arrow.Field('item', new arrow.Float32(), true));
}

/** The two vector columns of one width: the first passage (or the whole text), and the further passages of long text. */
export interface VectorColumns {
  readonly width: number;
  readonly first: string;
  readonly further: string;
}

/** The first model of a store uses `embedding` and `passages`; a model of another width gets a second pair. */
export function newVectorColumns(width: number, base: boolean): VectorColumns {
  return base ? { width, first: 'embedding', further: 'passages' } : { width, first: `embedding_${width}`, further: `passages_${width}` };
}

export function vectorFields(columns: VectorColumns): Field[] {
  const vector = vectorType(columns.width);
  return [
    new arrow.Field(columns.first, vector, true),
    new arrow.Field(columns.further, new arrow.List(new arrow.Field('item', vector, true)), true),
  ];
}

/** The vector columns that a table has, read from its schema. */
export function vectorColumnsOf(schema: Schema): VectorColumns[] {
  return schema.fields.flatMap((field) => {
    if (!/^embedding(_\d+)?$/.test(field.name)) return [];
    const width = (field.type as FixedSizeList).listSize;
    return [{ width, first: field.name, further: field.name.replace('embedding', 'passages') }];
  });
}

/** Schema of the `entries` table for a store whose first model makes vectors of `width` numbers. */
export function entriesSchema(width: number, fields?: Readonly<Record<string, EntryField>>): Schema {
  return new arrow.Schema([
    ...fieldColumns(fields),
    column('search_text', 'text'),
    column('written_at', 'float64'),
    // Unused: recalls are counted in a separate table, so that they do not rewrite the row.
    column('recall_count', 'int32'),
    column('passage_count', 'int32'),
    column('embedder', 'text'),
    ...vectorFields(newVectorColumns(width, true)),
  ]);
}

export const metaSchema = (): Schema => new arrow.Schema([column('key', 'text'), column('value', 'text')]);
