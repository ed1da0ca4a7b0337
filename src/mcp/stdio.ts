import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport } from './line-transport.ts';

interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line is refused. */
  readonly maxMessageBytes: number;
  /** Ends the connection from this side. */
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

/** Time to answer the remaining requests after the input has ended. */
const ANSWER_MS = 5_000;
const POLL_MS = 20;

/**
 * Serves MCP on standard input and output until the input ends, in the protocol revision of the client. Requests received by then are still
 * answered within 5 seconds.
 */
export async function speakStdio(
  serverFor: McpServerFactory,
  { input, output, maxMessageBytes, signal, onError }: StdioOptions,
): Promise<void> {
  const wire = new LineTransport({ input, output, maxMessageBytes });
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const connection = serveStdio(serverFor, { transport: wire, onerror: onError });
  await Promise.race([wire.ended, stopped]);
  for (const giveUp = performance.now() + ANSWER_MS; wire.isBusy && performance.now() < giveUp;) await sleep(POLL_MS);
  await connection.close();
}
