/** Requests that a client sends on one connection before it has the answers to those before them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** On one connection. While as many wait, the server reads no more of it. It still answers what it has read. */
const MAX_WAITING = 16;
/** On all connections: up to 3,600 short requests come in one read, and each costs 1.4 kB while it waits. */
const MAX_WAITING_IN_ALL = 20_000;

let waitingInAll = 0;
const pipelines = new WeakMap<Duplex, Pipeline>();

/**
 * Begins a request once the answers before it are out. Never begins it where the connection closes before that. Cuts a connection on which many wait while too
 * many wait on all of them.
 */
export function inTurn(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const pipeline = pipelines.get(req.socket) ?? new Pipeline(req.socket);
  pipelines.set(req.socket, pipeline);
  pipeline.add({ req, res, begin });
}

/**
 * Ends a connection on which something came that is no valid request: `answer` is called once everything before it is answered. Cuts it where an answer to the
 * invalid request itself is under way.
 */
export function endInTurn(socket: Duplex, answer: () => void): void {
  const pipeline = pipelines.get(socket);
  if (pipeline === undefined) answer();
  else pipeline.end(answer);
}

/** Whether the server itself keeps what comes next on this connection waiting, so that it is not late. */
export const isHeld = (socket: Duplex): boolean => pipelines.get(socket)?.isHeld ?? false;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly begin: () => void;
}

class Pipeline {
  readonly #socket: Duplex;
  /** The one whose turn it is or was last. */
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
    // It is the one whose end never came.
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
