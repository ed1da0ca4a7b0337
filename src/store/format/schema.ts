import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';
import type { DataType, Field, FixedSizeList, Schema } from 'apache-arrow';

/**
 * The CommonJS copy of Arrow: LanceDB is CommonJS and checks classes by identity, so tables and fields made with the ES module copy are
 * refused in some calls (`addColumns`, rerankers).
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow;

/**
 * Raised when an earlier version of Lore could not use the store any more, or would harm it; format-steps.ts then brings older stores there.
 * 2: relations, the archive and the history beside the entries, which version 1 would leave behind, and records of them in the journal.
 */
export const FORMAT_VERSION = 2;

export const ENTRIES = 'entries';
export const META = 'meta';

const text = (name: string, nullable = false): Field => new arrow.Field(name, new arrow.Utf8(), nullable);
const number = (name: string, type: DataType, nullable = false): Field => new arrow.Field(name, type, nullable);
const words = (name: string): Field => new arrow.Field(name, new arrow.List(new arrow.Field('item', new arrow.Utf8(), true)), false);

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

/** The first model of a store has `embedding` and `passages`; a model of another width gets a second pair beside them. */
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
export function entriesSchema(width: number): Schema {
  return new arrow.Schema([
    text('id'),
    text('content'),
    text('search_text'),
    text('summary', true),
    text('namespace'),
    text('container'),
    words('tags'),
    words('entities'),
    text('priority'),
    number('importance', new arrow.Float32()),
    text('source'),
    text('source_ref', true),
    number('created_at', new arrow.Float64()),
    number('updated_at', new arrow.Float64()),
    number('written_at', new arrow.Float64()),
    // A recall must not write the whole row again, so it is counted in a table of its own (side-tables.ts): the count stays empty, and the
    // time is that of the arrival (see ARRIVED_AT in rows.ts).
    number('last_recalled_at', new arrow.Float64(), true),
    number('recall_count', new arrow.Int32()),
    text('status'),
    text('content_hash'),
    number('passage_count', new arrow.Int32()),
    text('embedder'),
    ...vectorFields(newVectorColumns(width, true)),
  ]);
}

export const metaSchema = (): Schema => new arrow.Schema([text('key'), text('value')]);
