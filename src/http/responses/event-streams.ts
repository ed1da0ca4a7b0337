import type { ServerResponse } from 'node:http';
import { BusyError } from '../../memory/errors.ts';
import type { StoreEvent } from '../../memory/operations/event-operations.ts';
import { noTelemetry, type Telemetry } from '../../memory/telemetry.ts';

const MAX_STREAMS = 100;
const RETRY_SECONDS = 10;
/** Shorter than the idle timeout of common proxies and watchdogs. */
const HEARTBEAT_MS = 15_000;
/** A client with this many unread bytes, not counting the socket buffer, has stopped reading. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How long a browser waits before it reconnects. */
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
    // A client that does not read now may never read.
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

  /** Ends all streams once `closing` is aborted and opens no new ones: an endless response would keep the server from closing. */
  constructor(closing: AbortSignal, telemetry: Telemetry = noTelemetry) {
    this.#closing = closing;
    this.#telemetry = telemetry;
    closing.addEventListener('abort', () => {
      for (const stream of this.#open) stream.end();
    });
  }

  /** Throws `unavailable` if too many streams are open. */
  requireRoom(): void {
    if (this.#closing.aborted) throw new BusyError('The server is closing.', RETRY_SECONDS);
    if (this.#open.size >= MAX_STREAMS) {
      throw new BusyError(`There are already ${MAX_STREAMS} event streams; try again in ${RETRY_SECONDS} s.`, RETRY_SECONDS);
    }
  }

  /** Starts a stream that runs as long as `mayListen` returns true. Throws `unavailable` if too many streams are open. */
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
