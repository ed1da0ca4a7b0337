import type { Data, RecordBatch } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';

/**
 * Reads whole columns of a batch at once: a store of 100,000 rows is read at every start, and value-by-value access with Arrow costs four
 * times as much.
 */
interface TextData {
  readonly bytes: Buffer;
  readonly offsets: Int32Array;
  readonly length: number;
}

function dataOf(batch: RecordBatch, name: string): Data {
  const data: Data | undefined = batch.getChild(name)?.data[0];
  if (data === undefined) throw new LoreError('internal', `The store has no column ${name}.`);
  return data;
}

function textData(data: Data): TextData {
  const bytes = data.values as Uint8Array;
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offsets: data.valueOffsets as Int32Array,
    length: data.length,
  };
}

const each = <T>({ offsets, length }: TextData, read: (start: number, end: number) => T): T[] =>
  Array.from({ length }, (_, row) => read(offsets[row]!, offsets[row + 1]!));

/** A column of texts with only ASCII characters, such as ids. */
export function asciiColumn(batch: RecordBatch, name: string): string[] {
  const data = textData(dataOf(batch, name));
  return each(data, (start, end) => data.bytes.toString('latin1', start, end));
}

/** Reads texts and lists with few different values; equal ones become the same object. */
export class NameReader {
  readonly #seen = new Map<string, string>();
  readonly #seenLists = new Map<string, readonly string[]>();

  column(batch: RecordBatch, name: string): string[] {
    return this.#read(dataOf(batch, name));
  }

  /** A nullable text column; undefined if all values are null or the column does not exist. */
  optional(batch: RecordBatch, name: string): (string | undefined)[] | undefined {
    const data: Data | undefined = batch.getChild(name)?.data[0];
    if (data === undefined || data.nullCount === data.length) return undefined;
    return this.#read(data).map((text, row) => (data.getValid(row) ? text : undefined));
  }

  /** A column of lists of texts. */
  lists(batch: RecordBatch, name: string): (readonly string[])[] {
    const data = dataOf(batch, name);
    const [child] = data.children;
    if (child === undefined) return [];
    const names = this.#read(child);
    const offsets = data.valueOffsets as Int32Array;
    return Array.from({ length: data.length }, (_, row) => this.#shared(names.slice(offsets[row], offsets[row + 1])));
  }

  #shared(list: readonly string[]): readonly string[] {
    const key = list.join('\n');
    const seen = this.#seenLists.get(key);
    if (seen === undefined) this.#seenLists.set(key, list);
    return seen ?? list;
  }

  #read(data: Data): string[] {
    const texts = textData(data);
    return each(texts, (start, end) => {
      const key = texts.bytes.toString('latin1', start, end);
      const known = this.#seen.get(key);
      if (known !== undefined) return known;
      const text = texts.bytes.toString('utf8', start, end);
      this.#seen.set(key, text);
      return text;
    });
  }
}

/** A column of numbers that are never null. */
export function numberColumn(batch: RecordBatch, name: string): ArrayLike<number> {
  return batch.getChild(name)?.toArray() as ArrayLike<number>;
}

/** A nullable number column; undefined if all values are null, which is usual, or the column does not exist. */
export function optionalNumbers(batch: RecordBatch, name: string): (number | undefined)[] | undefined {
  const data: Data | undefined = batch.getChild(name)?.data[0];
  if (data === undefined || data.nullCount === data.length) return undefined;
  const values = data.values as Float64Array;
  return Array.from({ length: data.length }, (_, row) => (data.getValid(row) ? values[row] : undefined));
}
