/** Larger payloads are those of tools that read whole files. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Read {
  /** The object that came; empty where none did. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** More came than is read. */
  readonly oversized: boolean;
}

/**
 * Reads one JSON object from standard input, until it is whole: a client may leave its end open. What has not come when the signal aborts, or is
 * more than 4 MiB, does not count. Never rejects.
 */
export function readPayload(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<Read> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const finish = (oversized = false): void => {
      input.removeAllListeners('data');
      input.pause();
      resolve({ payload: oversized ? {} : (objectIn(chunks) ?? {}), oversized });
    };
    signal.addEventListener('abort', () => finish(), { once: true });
    input.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_BYTES) finish(true);
      else if (endsObject(chunk) && objectIn(chunks) !== undefined) finish();
    });
    input.on('end', () => finish());
    input.on('error', () => finish());
  });
}

/** Cheap, and true of every last piece of an object. */
function endsObject(chunk: Buffer): boolean {
  return chunk.subarray(-16).toString('latin1').trimEnd().endsWith('}');
}

function objectIn(chunks: readonly Buffer[]): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
