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
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  for (;;) {
    const { value, done } = await heard(reader, signal);
    if (done) return;
    const blocks = (pending + value).split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event !== undefined) onEvent(event);
    }
  }
}

/** The next piece; rejects where none comes. */
async function heard(reader: ReadableStreamDefaultReader<string>, signal: AbortSignal): Promise<ReadableStreamReadResult<string>> {
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

/** Undefined for what only keeps the connection alive. */
function eventIn(block: string): StoreEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
  const [id, type, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
  if (id === undefined || type === undefined || data === undefined) return undefined;
  return { id, type, ...(JSON.parse(data) as object) } as StoreEvent;
}
