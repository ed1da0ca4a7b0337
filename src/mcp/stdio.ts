import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, McpServerFactory, RequestId, Transport } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line ends the connection. */
  readonly maxMessageBytes: number;
  /** Ends it from this side. */
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

/** What was asked before the input ended may take this long. */
const ANSWER_MS = 5_000;
const LOOK_MS = 20;

/**
 * Speaks with the client of this process until the input ends, in the revision of the protocol that the client opens with. What was asked by then is still
 * answered, within 5 seconds.
 */
export async function speakStdio(
  serverFor: McpServerFactory,
  { input, output, maxMessageBytes, signal, onError }: StdioOptions,
): Promise<void> {
  // The library takes back what is not answered when its input ends, so that end is kept from it.
  const open = new PassThrough();
  input.pipe(open, { end: false });
  const { wire, unanswered, closed } = countingTransport(new StdioServerTransport(open, output, { maxBufferSize: maxMessageBytes }));
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) input.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve());
  });
  const connection = serveStdio(serverFor, { transport: wire, onerror: onError });
  await Promise.race([ended, closed]);
  const isBusy = (): boolean => unanswered.size + open.readableLength + open.writableLength > 0;
  for (const giveUp = performance.now() + ANSWER_MS; isBusy() && performance.now() < giveUp;) await sleep(LOOK_MS);
  await connection.close();
}

interface Counting {
  readonly wire: Transport;
  /** The ids of the requests that are being worked on. */
  readonly unanswered: ReadonlySet<RequestId>;
  readonly closed: Promise<void>;
}

/** The same transport, which knows what is still to be answered. */
function countingTransport(transport: StdioServerTransport): Counting {
  const unanswered = new Set<RequestId>();
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const wire: Transport = {
    async start() {
      /* oxlint-disable unicorn/prefer-add-event-listener -- the SDK has properties for these */
      transport.onmessage = (message) => {
        if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen') unanswered.add(message.id);
        // The answer to a request that was taken back is never sent.
        else if ('method' in message && message.method === 'notifications/cancelled') unanswered.delete(cancelledId(message));
        wire.onmessage?.(message);
      };
      transport.onerror = (error) => wire.onerror?.(error);
      transport.onclose = () => {
        wire.onclose?.();
        onClosed();
      };
      /* oxlint-enable unicorn/prefer-add-event-listener */
      await transport.start();
    },
    async send(message) {
      await transport.send(message);
      if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id);
    },
    close: () => transport.close(),
  };
  return { wire, unanswered, closed };
}

function cancelledId(message: JSONRPCMessage): RequestId {
  const { params } = message as { readonly params?: { readonly requestId?: RequestId } };
  return params?.requestId ?? '';
}
