import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { parseJSONRPCMessage, ProtocolErrorCode, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';

interface LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer line is refused. Also the limit for all requests in progress together: beyond it no more input is read. */
  readonly maxMessageBytes: number;
}

/** If the client leaves more output than this unread, no more of its requests are read. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

interface Refusal {
  /** Null if the message has no valid id. */
  readonly id: RequestId | null;
  readonly code: number;
  readonly message: string;
}

/**
 * MCP transport with one message per line. The SDK's transport ignores an invalid line, so the client waits forever; this one answers each line
 * with an error. It stops reading while unanswered requests or unread output take too much memory.
 */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Resolves when the input ends or the connection is closed. */
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  #isClosed = false;
  #isWaiting = false;
  /** The start of an incomplete line. Undefined while the rest of an oversized line is skipped. */
  #begun: Buffer[] | undefined = [];
  #begunBytes = 0;
  /** Bytes of each request in progress. */
  readonly #unanswered = new Map<RequestId, number>();

  readonly #options: LineOptions;

  constructor(options: LineOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  get isBusy(): boolean {
    return this.#unanswered.size > 0;
  }

  start(): Promise<void> {
    const { input, output } = this.#options;
    input.on('data', this.#read);
    input.once('end', this.#readRest);
    for (const event of ['close', 'error'] as const) input.once(event, this.#end);
    output.once('error', this.#lost);
    if (input.readableEnded || input.destroyed) this.#end();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
    this.#write(message);
    void this.#pauseWhileFull();
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#read);
    input.off('end', this.#readRest);
    input.pause();
    this.#end();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #lost = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  readonly #read = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#gather(chunk.subarray(from, at));
      this.#take();
      from = at + 1;
    }
    this.#gather(chunk.subarray(from));
    void this.#pauseWhileFull();
  };

  readonly #readRest = (): void => {
    this.#take();
    this.#end();
  };

  #gather(part: Buffer): void {
    this.#begunBytes += part.length;
    if (this.#begunBytes > this.#options.maxMessageBytes) this.#begun = undefined;
    else this.#begun?.push(part);
  }

  /** Handles the completed line. */
  #take(): void {
    const [parts, bytes] = [this.#begun, this.#begunBytes];
    [this.#begun, this.#begunBytes] = [[], 0];
    const taken = parts === undefined ? tooLong(this.#options.maxMessageBytes) : messageIn(Buffer.concat(parts));
    if (taken === undefined) return;
    if (!('code' in taken)) this.#deliver(taken, bytes);
    else {
      this.onerror?.(new Error(taken.message));
      this.#write({ jsonrpc: '2.0', id: taken.id, error: { code: taken.code, message: taken.message } });
    }
  }

  #deliver(message: JSONRPCMessage, bytes: number): void {
    if ('method' in message && 'id' in message) {
      // A subscription lasts as long as its connection: closing must not wait for it.
      if (message.method !== 'subscriptions/listen') this.#unanswered.set(message.id, bytes);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request gets no response.
      const { params } = message as { readonly params?: { readonly requestId?: RequestId } };
      if (params?.requestId !== undefined) this.#unanswered.delete(params.requestId);
    }
    this.onmessage?.(message);
  }

  #write(message: object): void {
    if (!this.#isClosed) this.#options.output.write(`${JSON.stringify(message)}\n`);
  }

  /** Stops reading input while the client does not read its output or has too many requests in progress. */
  async #pauseWhileFull(): Promise<void> {
    const { input, output, maxMessageBytes } = this.#options;
    const [isUnread, isFull] = [output.writableLength > MAX_UNREAD_BYTES, sum(this.#unanswered.values()) > maxMessageBytes];
    if (!isUnread && !isFull) {
      if (!this.#isClosed && input.isPaused() && !this.#isWaiting) input.resume();
      return;
    }
    input.pause();
    if (!isUnread || this.#isWaiting) return;
    this.#isWaiting = true;
    await once(output, 'drain').catch(() => undefined);
    this.#isWaiting = false;
    void this.#pauseWhileFull();
  }
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
};

const strict = new TextDecoder('utf-8', { fatal: true });

/** The message in a line. Undefined if the line is blank or must not be answered. */
function messageIn(line: Buffer): JSONRPCMessage | Refusal | undefined {
  let value: unknown;
  try {
    const text = strict.decode(line);
    if (text.trim() === '') return undefined;
    value = JSON.parse(text);
  } catch {
    return { id: null, code: ProtocolErrorCode.ParseError, message: 'This line is not JSON in UTF-8.' };
  }
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return refusalOf(value);
  }
}

const tooLong = (bytes: number): Refusal => ({
  id: null,
  code: ProtocolErrorCode.InvalidRequest,
  message: `This line is longer than ${bytes} bytes.`,
});

function refusalOf(value: unknown): Refusal | undefined {
  const code = ProtocolErrorCode.InvalidRequest;
  if (Array.isArray(value)) return { id: null, code, message: 'Send one message per line: this protocol has no batches.' };
  const { id, method, result, error } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  const isNotification = typeof method === 'string' && id === undefined;
  if (isAnswer || isNotification) return undefined;
  const message =
    'Not a JSON-RPC 2.0 request: it must have only `jsonrpc`, an `id` (a text or a whole number), a `method`, and optionally an object `params`.';
  return { id: typeof id === 'string' || typeof id === 'number' ? id : null, code, message };
}
