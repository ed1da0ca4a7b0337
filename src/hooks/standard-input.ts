/** Only tools that read whole files have larger payloads. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Read {
  /** The object received; empty if there was none. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The input was larger than the limit. */
  readonly oversized: boolean;
}

/**
 * Reads one JSON object from standard input. Ends as soon as the object is complete, because a client may leave the pipe open. Gives an empty
 * object if the signal aborts first or the input is larger than 4 MiB. Never rejects.
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

/** A cheap check that holds for the last chunk of every object. */
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
