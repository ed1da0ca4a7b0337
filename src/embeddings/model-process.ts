import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { LoreError } from '../memory/errors.ts';
import type { ModelFault, ModelReply, ModelRequest } from './local-protocol.ts';

interface ModelProcessOptions {
  readonly load: Omit<Extract<ModelRequest, { type: 'load' }>, 'type'>;
  /** Maximum time without messages during load or download, milliseconds. */
  readonly stallMs: number;
  /** Time limit of one batch, milliseconds. */
  readonly replyMs: number;
  readonly onProgress: (loaded: number, total: number) => void;
}

/** The process ended during a request. The same request may succeed in another process. */
export class ModelProcessGone extends Error {
  override readonly name = 'ModelProcessGone';
}

/** The process reported a failure and still runs. */
export class ModelProcessFault extends Error {
  override readonly name = 'ModelProcessFault';
  readonly fault: ModelFault;

  constructor(fault: ModelFault) {
    super(fault.message);
    this.fault = fault;
  }
}

interface Waiting {
  readonly resolve: (reply: ModelReply) => void;
  readonly reject: (error: Error) => void;
}

/** Time limit for starting: the library may be read from a cold disk on a busy machine. */
const START_MS = 60_000;
const LAST_WORDS = 2_000;

/**
 * A child process with one model: `load` once, then `embed` one batch at a time, then `kill`. Keeps the parent process alive only between
 * `ref` and `unref`.
 */
export class ModelProcess {
  readonly #child: ChildProcess;
  readonly #options: ModelProcessOptions;
  #waiting: Waiting | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #lastWords = '';
  readonly exited: Promise<void>;
  alive = true;

  constructor(options: ModelProcessOptions) {
    this.#options = options;
    this.#child = fork(childPath(), [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    this.#child.on('message', (reply) => this.#receive(reply as ModelReply));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)));
    this.exited = new Promise((resolve) => {
      const gone = (error?: Error): void => {
        this.#exit(error);
        resolve();
      };
      this.#child.once('exit', () => gone());
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) gone(error);
      });
    });
    this.unref();
  }

  /** Loads the model; downloads it first if needed and allowed. Resolves with its vector length. */
  async load(): Promise<number> {
    const reply = await this.#ask({ type: 'load', ...this.#options.load }, { ms: START_MS, late: 'The model process does not start.' });
    if (reply.type !== 'loaded') throw new ModelProcessGone('The model process sent an unexpected message.');
    return reply.dimensions;
  }

  /** The unit vectors of a batch, concatenated. */
  async embed(texts: readonly string[]): Promise<Float32Array> {
    const ms = this.#options.replyMs;
    const reply = await this.#ask({ type: 'embed', texts }, { ms, late: `The model did not answer within ${Math.ceil(ms / 1000)} s.` });
    if (reply.type !== 'vectors') throw new ModelProcessGone('The model process sent an unexpected message.');
    return reply.values;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Kills the process. Waiting for `exited` keeps this process alive until it has ended. */
  kill(): void {
    this.#child.ref();
    this.#child.kill('SIGKILL');
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    (this.#child.stderr as { unref?: () => void } | null)?.unref?.();
  }

  #ask(request: ModelRequest, limit: { ms: number; late: string }): Promise<ModelReply> {
    return new Promise((resolve, reject) => {
      if (!this.alive) {
        reject(new ModelProcessGone('The model process has ended.'));
        return;
      }
      this.#waiting = { resolve, reject };
      this.#watch(limit.ms, () => new LoreError('unavailable', limit.late));
      // If sending fails the process exits, which rejects the request.
      this.#child.send(request, () => {});
    });
  }

  #receive(reply: ModelReply): void {
    if (reply.type === 'started' || reply.type === 'progress') {
      const { stallMs, onProgress } = this.#options;
      this.#watch(stallMs, () => new LoreError('network', `No data for ${Math.ceil(stallMs / 1000)} s.`));
      if (reply.type === 'progress') onProgress(reply.loaded, reply.total);
      return;
    }
    const waiting = this.#settle();
    if (reply.type === 'failed') waiting?.reject(new ModelProcessFault(reply.fault));
    else waiting?.resolve(reply);
  }

  #watch(ms: number, late: () => Error): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      this.#settle()?.reject(late());
      this.kill();
    }, ms).unref();
  }

  #settle(): Waiting | undefined {
    clearTimeout(this.#watchdog);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #exit(error: Error | undefined): void {
    this.alive = false;
    const words = error?.message ?? this.#lastWords.trim();
    this.#settle()?.reject(
      new ModelProcessGone('The model process ended unexpectedly.', words === '' ? undefined : { cause: new Error(words) }),
    );
  }
}

function childPath(): string {
  try {
    // Resolved through package.json, so that the built file is found from src and dist.
    return createRequire(import.meta.url).resolve('#local-child');
  } catch (error) {
    throw new LoreError('internal', 'Lore is not built: the part that runs models is missing.', {
      cause: error,
      hint: 'Run `npm run build`.',
    });
  }
}
