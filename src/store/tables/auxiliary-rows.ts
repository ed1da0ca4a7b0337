import type { Field, Schema, Table } from 'apache-arrow';
import { floatCells, textCells } from '../format/cells.ts';
import { arrow } from '../format/schema.ts';

/** A column in addition to `key` and `body`, for predicates and for anyone who reads the table with another tool. */
interface AuxiliaryColumn<Value> {
  readonly name: string;
  readonly of: (value: Value) => string | number;
}

/** The columns of an auxiliary table. */
export interface AuxiliaryShape<Value> {
  readonly name: string;
  readonly keyOf: (value: Value) => string;
  /** Text, unless listed in `numbers`. */
  readonly columns: readonly AuxiliaryColumn<Value>[];
  readonly numbers: readonly string[];
  /** The column that names the owner of a value. */
  readonly owner?: string;
}

/** The cell of a value in a column. */
export function cellOf<Value>({ columns }: AuxiliaryShape<Value>, column: string, value: Value): string | number | undefined {
  return columns.find(({ name }) => name === column)?.of(value);
}

/** The owner of a value, in a table whose values have one. */
export function ownerOf<Value>(shape: AuxiliaryShape<Value>, value: Value): string | undefined {
  return shape.owner === undefined ? undefined : String(cellOf(shape, shape.owner, value));
}

/** The columns of a table of this shape. */
export function schemaOf<Value>({ columns, numbers }: AuxiliaryShape<Value>): Schema {
  const text = (column: string): Field => new arrow.Field(column, new arrow.Utf8(), false);
  const fields = columns.map((column) =>
    numbers.includes(column.name) ? new arrow.Field(column.name, new arrow.Float64(), false) : text(column.name),
  );
  return new arrow.Schema([text('key'), ...fields, text('body')]);
}

/** The batch of rows for `add`, by columns: records would take ten times as long. */
export function columnsOf<Value>(shape: AuxiliaryShape<Value>, values: readonly Value[]): Table {
  const schema = schemaOf(shape);
  const columns = shape.columns.map(({ name, of }) => {
    const cells = values.map(of);
    return shape.numbers.includes(name) ? floatCells(Float64Array.from(cells, Number)) : textCells(cells.map(String));
  });
  const children = [textCells(values.map(shape.keyOf)), ...columns, textCells(values.map((value) => JSON.stringify(value)))];
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: values.length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}
