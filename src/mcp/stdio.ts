import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line ends the connection. */
  readonly maxMessageBytes: number;
  /** Ends it from this side. */
  readonly signal: AbortSignal;
}

/** What was asked before the input ended may take this long. */
const ANSWER_MS = 5_000;
const LOOK_MS = 20;

/** Speaks with the client of this process until the input ends; what was asked by then is still answered, within 5 seconds. */
export async function speakStdio(server: McpServer, { input, output, maxMessageBytes, signal }: StdioOptions): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes });
  const unanswered = watchRequests(transport);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) input.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve());
    // Set before connecting, so that the server keeps it beside its own.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
    transport.onclose = resolve;
  });
  await server.connect(transport);
  await ended;
  for (const giveUp = performance.now() + ANSWER_MS; unanswered.size > 0 && performance.now() < giveUp;) await sleep(LOOK_MS);
  await server.close();
}

/** The ids of the requests that are being worked on. */
function watchRequests(transport: StdioServerTransport): ReadonlySet<RequestId> {
  const unanswered = new Set<RequestId>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) unanswered.add(message.id);
    // The answer to a request that was taken back is never sent.
    else if ('method' in message && message.method === 'notifications/cancelled') unanswered.delete(cancelledId(message));
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id);
  };
  return unanswered;
}

function cancelledId(message: JSONRPCMessage): RequestId {
  const { params } = message as { readonly params?: { readonly requestId?: RequestId } };
  return params?.requestId ?? '';
}
