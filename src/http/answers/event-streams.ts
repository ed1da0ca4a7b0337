import type { ServerResponse } from 'node:http';
import { BusyError } from '../../memory/errors.ts';
import type { StoreEvent } from '../../memory/operations/event-operations.ts';
import { noTelemetry, type Telemetry } from '../../memory/telemetry.ts';

const MAX_STREAMS = 100;
const RETRY_SECONDS = 10;
/** Less than any proxy or watchdog waits for a sign of life. */
const HEARTBEAT_MS = 15_000;
/** A reader that leaves so much unread, beside what its connection takes, has stopped reading. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** What a browser waits before it comes back. */
const RECONNECT_MS = 2_000;

/** Headers of an event stream; they tell a proxy not to buffer it. */
export const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

type Out = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'once' | 'writableLength'>;

/** One event stream, open as long as its client listens. */
export class EventStream {
  readonly #out: Out;
  readonly #mayListen: () => boolean;
  readonly #gone = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;

  /** `mayListen` is checked before each event. */
  constructor(out: Out, mayListen: () => boolean) {
    this.#out = out;
    this.#mayListen = mayListen;
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), HEARTBEAT_MS).unref();
    out.once('close', () => this.#stop());
    this.#write(`retry: ${RECONNECT_MS}\n\n`);
  }

  /** Aborted when the client has disconnected. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  send({ id, type, ...data }: StoreEvent): void {
    this.#write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Safe to repeat. */
  end(): void {
    this.#stop();
    // What is not read now may never be.
    if (this.#out.writableLength > 0) this.#out.destroy();
    else this.#out.end();
  }

  #write(text: string): void {
    if (this.#gone.signal.aborted) return;
    if (!this.#mayListen()) return this.end();
    this.#out.write(text);
    if (this.#out.writableLength > MAX_UNREAD_BYTES) this.#out.destroy();
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    this.#gone.abort();
  }
}

/** The event streams of one server. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #closing: AbortSignal;
  readonly #telemetry: Telemetry;

  /** Ends them all once `closing` is aborted, and takes no more: an answer without end would keep a server from closing. */
  constructor(closing: AbortSignal, telemetry: Telemetry = noTelemetry) {
    this.#closing = closing;
    this.#telemetry = telemetry;
    closing.addEventListener('abort', () => {
      for (const stream of this.#open) stream.end();
    });
  }

  /** Throws `unavailable` where there are too many already. */
  requireRoom(): void {
    if (this.#closing.aborted) throw new BusyError('The server is closing.', RETRY_SECONDS);
    if (this.#open.size >= MAX_STREAMS) {
      throw new BusyError(`There are already ${MAX_STREAMS} event streams; try again in ${RETRY_SECONDS} s.`, RETRY_SECONDS);
    }
  }

  /** Begins to answer, for as long as `mayListen` holds. Throws `unavailable` where there are too many already. */
  open(res: ServerResponse, mayListen: () => boolean): EventStream {
    this.requireRoom();
    const stream = new EventStream(res.writeHead(200, EVENT_HEADERS), mayListen);
    this.#open.add(stream);
    this.#telemetry.move('event streams', 1);
    res.once('close', () => {
      this.#open.delete(stream);
      this.#telemetry.move('event streams', -1);
    });
    return stream;
  }
}
