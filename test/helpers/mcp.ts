import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema, type CallToolResult, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Child, Cli, RunOptions } from './cli.ts';

export interface McpOptions extends RunOptions {
  /** Folders that the client reports as its roots, as URIs. */
  readonly roots?: readonly string[];
}

export interface McpProcess extends AsyncDisposable {
  readonly client: Client;
  readonly child: Child;
  /** Standard error so far. */
  stderr(): string;
  /** The structured result of a tool; fails with its message if it refuses. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test says what it expects
  call<T = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<T>;
  /** Closes the input and waits for the exit. */
  end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Longer than any call may take. */
const CALL_TIMEOUT_MS = 50_000;

/** `lore mcp` as a client starts it, with the official client connected. */
export async function startMcp(cli: Cli, args: readonly string[] = [], { roots, ...options }: McpOptions = {}): Promise<McpProcess> {
  const child = cli.spawn(['mcp', ...args], options);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } },
  );
  if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
  await client.connect(childTransport(child));
  const end = async (): Promise<{ code: number | null; signal: NodeJS.Signals | null }> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    }
    return { code: child.exitCode, signal: child.signalCode };
  };
  return {
    client,
    child,
    stderr: () => stderr,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- see `McpProcess`
    call: async <T>(name: string, given: Record<string, unknown> = {}) => {
      const result = (await client.callTool({ name, arguments: given }, undefined, { timeout: CALL_TIMEOUT_MS })) as CallToolResult;
      if (result.isError === true) throw new Error(`${textOf(result)}\n${stderr}`.trim());
      return result.structuredContent as T;
    },
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function childTransport(child: Child): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: () => {
      child.stdout.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        // Anything but the protocol on standard output throws here.
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) transport.onmessage?.(message);
      });
      child.once('close', () => transport.onclose?.());
      return Promise.resolve();
    },
    send: (message: JSONRPCMessage) => {
      child.stdin.write(serializeMessage(message));
      return Promise.resolve();
    },
    close: () => {
      child.stdin.end();
      return Promise.resolve();
    },
  };
  return transport;
}
