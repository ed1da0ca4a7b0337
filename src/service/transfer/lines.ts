/** One line of a stream, counted from 1; `text` is absent if it could not be read. */
export interface Line {
  readonly number: number;
  readonly text?: string;
  readonly error?: string;
}

const NEWLINE = 0x0a;

/**
 * Splits a stream of UTF-8 bytes into lines (LF or CRLF), holding one line in memory. A line that is too long or not UTF-8 is reported as
 * such and the stream continues. A byte order mark at the start is dropped.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let number = 0;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const take = (): Line => {
    number += 1;
    const line = bytes > maxBytes ? { number, error: `is longer than ${maxBytes} bytes` } : decode(decoder, number, parts);
    [parts, bytes] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      bytes += end - start;
      if (bytes <= maxBytes) parts.push(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    bytes += chunk.length - start;
    // Bytes above the limit are counted and discarded, so that an endless line cannot fill the memory.
    if (bytes <= maxBytes) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (bytes > 0) yield take();
}

function decode(decoder: InstanceType<typeof TextDecoder>, number: number, parts: readonly Uint8Array[]): Line {
  try {
    const text = decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text };
  } catch {
    return { number, error: 'is not valid UTF-8' };
  }
}
