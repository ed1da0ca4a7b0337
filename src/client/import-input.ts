/** Input of an import: JSON Lines as a string, bytes, a file or a stream, or one object per line. */
export type ImportInput =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<object>
  | AsyncIterable<Uint8Array | string | object>;

/** The bytes of an import in chunks. An object becomes one line; strings and bytes are unchanged. */
export async function* importChunks(input: ImportInput): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of piecesOf(input)) {
    if (piece instanceof Uint8Array) yield piece;
    else yield encoder.encode(typeof piece === 'string' ? piece : `${JSON.stringify(piece)}\n`);
  }
}

function piecesOf(input: ImportInput): Iterable<string | object> | AsyncIterable<Uint8Array | string | object> {
  if (typeof input === 'string' || input instanceof Uint8Array) return [input];
  if (input instanceof Blob) return readAll(input.stream());
  // Node's streams are iterable; not every browser's streams are.
  return 'getReader' in input ? readAll(input) : input;
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
