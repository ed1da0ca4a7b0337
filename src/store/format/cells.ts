/** Columns of a batch, built at once from the values of all its rows. */
import type { Data, DataType } from 'apache-arrow';
import { arrow } from './schema.ts';

/** One column of a batch, whatever its type. */
export type Column = Data<DataType>;

/** Slow, for any type. */
export const builtCells = (values: readonly unknown[], type: DataType): Column =>
  arrow.vectorFromArray(values as unknown[], type).data[0] as Column;

export const floatCells = (data: Float32Array | Float64Array): Column =>
  arrow.makeData({
    type: data instanceof Float32Array ? new arrow.Float32() : new arrow.Float64(),
    length: data.length,
    nullCount: 0,
    data,
  } as Parameters<typeof arrow.makeData>[0]);

export const intCells = (data: Int32Array): Column => arrow.makeData({ type: new arrow.Int32(), length: data.length, nullCount: 0, data });

export function textCells(texts: readonly (string | null)[]): Column {
  const bytes = texts.map((text) => (text === null ? null : Buffer.from(text)));
  const valueOffsets = new Int32Array(texts.length + 1);
  const nulls = bitmap(texts.length, (index) => bytes[index] !== null);
  for (const [index, part] of bytes.entries()) valueOffsets[index + 1] = valueOffsets[index]! + (part?.length ?? 0);
  const data = Buffer.concat(bytes.filter((part) => part !== null));
  return arrow.makeData({ type: new arrow.Utf8(), length: texts.length, valueOffsets, data, ...nulls });
}

export function bitmap(length: number, present: (index: number) => boolean): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array((length + 7) >> 3);
  let nullCount = 0;
  for (let index = 0; index < length; index += 1) {
    if (present(index)) nullBitmap[index >> 3]! |= 1 << (index & 7);
    else nullCount += 1;
  }
  return { nullCount, nullBitmap };
}
