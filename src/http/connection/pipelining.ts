/** HTTP pipelining: requests that a client sends on one connection before earlier ones are answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Per connection. At this number of waiting requests the server stops reading from the connection. It still answers what it has read. */
const MAX_WAITING = 16;
/** Over all connections: one read brings up to 3,600 short requests, and each takes 1.4 kB while it waits. */
const MAX_WAITING_IN_ALL = 20_000;

let waitingInAll = 0;
const pipelines = new WeakMap<Duplex, Pipeline>();

/**
 * Starts a request once the earlier ones on its connection are answered; never if the connection closes before that. If too many requests
 * wait over all connections, cuts a connection on which many wait.
 */
export function startInOrder(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const pipeline = pipelines.get(req.socket) ?? new Pipeline(req.socket);
  pipelines.set(req.socket, pipeline);
  pipeline.add({ req, res, begin });
}

/**
 * Ends a connection that sent an invalid request: `answer` is called once everything before it is answered. Cuts the connection if a
 * response to the invalid request itself has started.
 */
export function endInOrder(socket: Duplex, answer: () => void): void {
  const pipeline = pipelines.get(socket);
  if (pipeline === undefined) answer();
  else pipeline.end(answer);
}

/** Whether the server itself delays the next request on this connection, so that a timeout is not the client's fault. */
export const isDelayed = (socket: Duplex): boolean => pipelines.get(socket)?.isHeld ?? false;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly begin: () => void;
}

class Pipeline {
  readonly #socket: Duplex;
  /** The exchange being answered, or the last one answered. */
  #current: Exchange | undefined;
  #last: Exchange | undefined;
  #unanswered = 0;
  #waiting = 0;
  #isPaused = false;
  #end: (() => void) | undefined;

  constructor(socket: Duplex) {
    this.#socket = socket;
    // Node reads on at the end of each request and for each body.
    socket.on('resume', () => this.#pauseWhereFull());
    socket.once('close', () => this.#wait(-this.#waiting));
  }

  get isHeld(): boolean {
    return this.#isPaused || this.#last !== this.#current;
  }

  add(exchange: Exchange): void {
    const { res, begin } = exchange;
    this.#last = exchange;
    this.#unanswered += 1;
    res.once('close', () => this.#noteAnswer());
    if (res.socket !== null) {
      this.#current = exchange;
      begin();
      return;
    }
    if (this.#socket.destroyed) return;
    this.#wait(1);
    this.#pauseWhereFull();
    res.once('socket', () => this.#takeTurn(exchange));
  }

  end(answer: () => void): void {
    if (this.#end !== undefined) return;
    const { req, res } = this.#last ?? {};
    const isOfCurrent = this.#last === this.#current && req?.complete === false;
    if (isOfCurrent && res?.headersSent === true && !res.writableEnded) this.#socket.destroy();
    else if (isOfCurrent || this.#unanswered === 0) answer();
    else this.#end = answer;
  }

  #takeTurn(exchange: Exchange): void {
    const { req, begin } = exchange;
    if (this.#socket.destroyed) return;
    this.#current = exchange;
    this.#wait(-1);
    if (this.#isPaused && this.#waiting < MAX_WAITING) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    // This exchange is the invalid request: its end never arrived.
    if (this.#end !== undefined && !req.complete) this.#finish();
    else begin();
  }

  #noteAnswer(): void {
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#finish();
  }

  #finish(): void {
    const end = this.#end;
    this.#end = undefined;
    if (!this.#socket.destroyed) end?.();
  }

  #wait(change: number): void {
    this.#waiting += change;
    waitingInAll += change;
  }

  #pauseWhereFull(): void {
    if (this.#waiting < MAX_WAITING) return;
    this.#isPaused = true;
    if (waitingInAll > MAX_WAITING_IN_ALL) this.#socket.destroy();
    else this.#socket.pause();
  }
}
