import { LoreError } from '../../memory/errors.ts';

/** Byte order marks of UTF-16; PowerShell and spreadsheets write such files. */
const UTF16_MARKS = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
] as const;

/** The bytes as UTF-8: a stream that begins with the byte order mark of UTF-16 is converted, any other passes. Rejects with `invalid_input` for broken UTF-16. */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    let start = Buffer.alloc(0);
    while (start.length < 2) {
      const next = await source.next();
      if (next.done === true) break;
      start = Buffer.concat([start, next.value]);
    }
    const encoding = UTF16_MARKS.find(([first, second]) => start[0] === first && start[1] === second)?.[2];
    const all = joined(start, { [Symbol.asyncIterator]: () => source });
    yield* encoding === undefined ? all : converted(all, { encoding, name });
  } finally {
    // Closes the source if the reader stops early: no file stays open, and the process does not wait for standard input.
    await source.return?.();
  }
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* converted(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, name }: { encoding: string; name: string },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const text of decoded(chunks, encoding)) yield Buffer.from(text);
  } catch (cause) {
    if (!isUndecodable(cause)) throw cause;
    throw new LoreError('invalid_input', `${name} is not valid ${encoding.slice(0, 6).toUpperCase()}.`, { cause });
  }
}

/** The text of a stream, without its byte order mark. Rejects with an error that `isUndecodable` recognises. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding = 'utf-8'): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  decoder.decode();
}

/** Whether an error means that bytes are not of the encoding they were read as. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof TypeError && (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

/** The text of bytes, without its byte order mark; undefined if they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
