import type { RecordBatch } from 'apache-arrow';

/** A LanceDB query that can also return its result as the bytes of an Arrow file, which is not a documented feature. */
type RawQuery = AsyncIterable<RecordBatch> & { readonly nativeExecute?: () => Promise<{ next(): Promise<Buffer | null> }> };

/** One row: its address in the table, and the number next to it. */
type Visit = (row: { readonly fragment: number; readonly place: number }, value: number) => void;

const ADDRESS_BYTES = 8;
const VALUE_BYTES = 4;
/** The end of an Arrow file: the length of its footer (4 bytes) and `ARROW1`. */
const TAIL_BYTES = 10;
/** A message begins with a marker of four bytes and its length. */
const PREFIX_BYTES = 8;
/** Struct sizes of the format: position of a batch, null count of a column, position of a buffer. */
const NODE_BYTES = 16;

/**
 * Reads the rows of a two-column result (64-bit address, 32-bit number) without Arrow objects, which cost as much as the rest of the
 * query on this thread. Returns false, before reading any row, if the result has another form.
 */
export async function readPairs(query: AsyncIterable<RecordBatch>, addressColumn: string, visit: Visit): Promise<boolean> {
  const raw = query as RawQuery;
  if (typeof raw.nativeExecute !== 'function') return false;
  const answer = await raw.nativeExecute();
  const found: Pairs[] = [];
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) {
    const pairs = readable(bytes, addressColumn);
    if (pairs === undefined) return false;
    found.push(pairs);
  }
  for (const { bytes, rows, addresses, values } of found) {
    for (let row = 0; row < rows; row += 1) {
      const at = addresses + row * ADDRESS_BYTES;
      visit({ fragment: bytes.readUInt32LE(at + 4), place: bytes.readUInt32LE(at) }, bytes.readFloatLE(values + row * VALUE_BYTES));
    }
  }
  return true;
}

interface Pairs {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Offsets of the columns. */
  readonly addresses: number;
  readonly values: number;
}

/** In another form, these bytes may point anywhere. */
function readable(bytes: Buffer, addressColumn: string): Pairs | undefined {
  try {
    return pairsIn(bytes, addressColumn);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads the footer and the one batch of an Arrow file (format/File.fbs, Schema.fbs and Message.fbs of Arrow). */
function pairsIn(bytes: Buffer, addressColumn: string): Pairs | undefined {
  const table = (at: number): number => at + bytes.readUInt32LE(at);
  /** Offset of a field in a table; 0 if it is absent. */
  const field = (of: number, nth: number): number => {
    const fields = of - bytes.readInt32LE(of);
    const entry = 4 + 2 * nth;
    const offset = entry < bytes.readUInt16LE(fields) ? bytes.readUInt16LE(fields + entry) : 0;
    return offset === 0 ? 0 : of + offset;
  };
  const list = (at: number): { readonly length: number; readonly start: number } => {
    const start = table(at);
    return { length: bytes.readUInt32LE(start), start: start + 4 };
  };
  const long = (at: number): number => bytes.readUInt32LE(at) + bytes.readInt32LE(at + 4) * 2 ** 32;

  const footer = table(bytes.length - TAIL_BYTES - bytes.readInt32LE(bytes.length - TAIL_BYTES));
  const columns = list(field(table(field(footer, 1)), 1));
  const blocks = list(field(footer, 3));
  if (columns.length !== 2 || blocks.length !== 1) return undefined;
  const nameOf = (nth: number): string => {
    const name = list(field(table(columns.start + 4 * nth), 0));
    return bytes.toString('latin1', name.start, name.start + name.length);
  };
  const address = [0, 1].find((nth) => nameOf(nth) === addressColumn);
  if (address === undefined) return undefined;

  const block = long(blocks.start);
  const batch = table(field(table(block + PREFIX_BYTES), 2));
  const [nodes, buffers] = [list(field(batch, 1)), list(field(batch, 2))];
  const nulls = (nth: number): number => long(nodes.start + NODE_BYTES * nth + 8);
  // Each column has its validity bitmap, then its values; compressed columns differ.
  if (field(batch, 3) !== 0 || nodes.length !== 2 || buffers.length !== 4 || nulls(0) + nulls(1) > 0) return undefined;
  const rows = long(field(batch, 0));
  const body = block + bytes.readInt32LE(blocks.start + 8);
  const columnAt = (nth: number, width: number): number | undefined => {
    const buffer = buffers.start + NODE_BYTES * (2 * nth + 1);
    return long(buffer + 8) === rows * width ? body + long(buffer) : undefined;
  };
  const [addresses, values] = [columnAt(address, ADDRESS_BYTES), columnAt(1 - address, VALUE_BYTES)];
  return addresses === undefined || values === undefined ? undefined : { bytes, rows, addresses, values };
}
