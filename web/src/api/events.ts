import { eventsIn } from '../../../src/client/event-stream.ts';
import type { StoreEvent } from '../../../src/memory/operations/event-operations.ts';
import { ApiError, send } from './request.ts';

export type { StoreEvent };

/** The server says something every 15 seconds; a connection that is silent for longer is dead. */
const SILENCE_MS = 40_000;

interface FollowOptions {
  /** The id of the last event that was seen; what came after it is told first. */
  readonly after: string | undefined;
  readonly onEvent: (event: StoreEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Tells what changes in the store, over one connection: resolves when the server ends it. Rejects with ApiError where it refuses or goes
 * silent. Never asks for a key.
 */
export async function followEvents({ after, onEvent, signal }: FollowOptions): Promise<void> {
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
  // Not an EventSource, which can send no key.
  const response = await send('/api/events', { headers, signal, askForKey: false, timeoutMs: Infinity });
  if (!response.ok || response.body === null) throw new ApiError(response.status, 'EVENTS', response.statusText);
  for await (const event of eventsIn(heard(response.body.getReader(), signal))) onEvent(event);
}

async function* heard(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let next = await nextOf(reader, signal); !next.done; next = await nextOf(reader, signal)) yield next.value;
}

/** The next piece; rejects where none comes. */
async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<ReadableStreamReadResult<Uint8Array>> {
  let silent = false;
  const timer = setTimeout(() => {
    silent = true;
    void reader.cancel();
  }, SILENCE_MS);
  try {
    const next = await reader.read();
    if (!silent) return next;
  } catch (cause) {
    signal.throwIfAborted();
    throw new ApiError(0, 'NETWORK', 'cut', { cause });
  } finally {
    clearTimeout(timer);
  }
  throw new ApiError(0, 'TIMEOUT', 'silent');
}
