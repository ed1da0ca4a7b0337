/** Follows the changes in the store of a running server. */
import { LoreError } from '../memory/errors.ts';
import type { FollowRequest, StoreEvent } from '../memory/operations/event-operations.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { Transport } from './transport.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Longest wait before the first reconnect; doubled for each further attempt. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A live server sends at least a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000;

/** Follows over one connection. Ends when the server ends it; rejects with `network` if it is cut or silent. */
export async function* follow(
  transport: Transport,
  { namespace, after }: FollowRequest,
  { signal, ...options }: CallOptions = {},
): AsyncGenerator<StoreEvent> {
  const silent = new AbortController();
  const alarm = (): void => silent.abort(new LoreError('network', 'The server stopped responding.'));
  const headers = { accept: 'text/event-stream', ...withoutUndefined({ 'last-event-id': after }) };
  const ending = signal === undefined ? silent.signal : AbortSignal.any([silent.signal, signal]);
  const chunks = transport.stream('GET', 'events', { ...options, query: { namespace }, headers, signal: ending });
  yield* eventsIn(watched(chunks, alarm));
}

/**
 * Follows and reconnects after each lost connection, with waits that grow to 30 seconds. The server then sends the missed events, or `reset` if
 * it no longer has them. Rejects if the server refuses the request, and with the reason of the signal.
 */
export async function* followForever(transport: Transport, request: FollowRequest, options: CallOptions = {}): AsyncGenerator<StoreEvent> {
  let { after } = request;
  for (let failures = 0; ; failures += 1) {
    let asked = 0;
    try {
      for await (const event of follow(transport, { ...request, after }, options)) {
        after = event.id;
        failures = 0;
        yield event;
      }
    } catch (error) {
      if (!mayReturn(error)) throw error;
      asked = (error.retryAfterSeconds ?? 0) * 1000;
    }
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    await transport.pause(asked + (most / 2) * (1 + Math.random()), options);
  }
}

/** Whether a reconnect can succeed. */
function mayReturn(error: unknown): error is LoreError {
  return error instanceof LoreError && (error.code === 'network' || error.code === 'unavailable' || error.code === 'rate_limited');
}

/** Calls `alarm` if the next item takes too long. The time that the consumer takes does not count. */
async function* watched<T>(items: AsyncIterable<T>, alarm: () => void): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(alarm, SILENCE_MS);
      const next = await iterator.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Parses server-sent events. Skips heartbeats, which have no type and no data. */
async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StoreEvent> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of chunks) {
    const blocks = (pending + decoder.decode(chunk, { stream: true })).split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const { id, event: type, data } = fieldsOf(block);
      if (type !== undefined && data !== undefined) yield { id, type, ...(JSON.parse(data) as object) } as StoreEvent;
    }
  }
}

function fieldsOf(block: string): Record<string, string> {
  const lines = block.split('\n').map((line) => /^([^:]+): ?(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]]))) as Record<string, string>;
}
