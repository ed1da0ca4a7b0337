import { LoreError } from '../../memory/errors.ts';
import { currentScope, runInScope, type Scope } from '../../memory/request-scope.ts';

interface Waiting<Change> {
  /** Undefined for work that runs alone. */
  readonly change: Change | undefined;
  readonly run: () => Promise<void> | void;
  /** The request of this item. */
  readonly scope: Scope | undefined;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Keeps a commit small enough for readers and for memory. */
const MAX_ROUND = 2000;
/** And small enough to be sent to object storage in seconds. A larger change is committed alone. */
const MAX_ROUND_BYTES = 16 * 1024 * 1024;

interface Settings<Change> {
  /** Returns whether they are committed. If not, they are passed again, together with those that arrived meanwhile. */
  readonly commit: (changes: readonly Change[]) => Promise<boolean>;
  /** Awaited before each commit; changes that arrive until then join it, and fail if this rejects. */
  readonly ready: () => Promise<void>;
  /** Approximate size of a change in a commit. */
  readonly bytesOf: (change: Change) => number;
}

/**
 * One ordered queue of changes. Whatever waits while a commit is in flight goes into the next one, in order of arrival, so a hundred
 * changes at once cost one write to the disk, not a hundred. Each promise settles with the commit that carried its change.
 */
export class Writer<Change extends object> {
  readonly #settings: Settings<Change>;
  #queue: Waiting<Change>[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(settings: Settings<Change>) {
    this.#settings = settings;
  }

  /** Changes that wait for the next commit. */
  get waiting(): number {
    return this.#queue.length;
  }

  submit(change: Change): Promise<void> {
    return this.#enqueue(change, () => undefined);
  }

  /** Runs work alone between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#enqueue(undefined, run);
  }

  /** Finishes what was accepted, then refuses everything. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== undefined) await this.#running;
  }

  #enqueue(change: Change | undefined, run: () => Promise<void> | void): Promise<void> {
    if (this.#closed) return Promise.reject(new LoreError('unavailable', 'The store is closing.'));
    return new Promise<void>((done, failed) => {
      this.#queue.push({ change, run, scope: currentScope(), done, failed });
      this.#running ??= runInScope(undefined, () => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that requests which arrived together share the first commit too.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const ready = this.#queue[0]?.change === undefined ? undefined : this.#settings.ready();
      await ready?.catch(() => undefined);
      const round = this.#nextRound();
      const [first] = round;
      const commit = async (): Promise<boolean> => {
        await ready;
        return await this.#settings.commit(round.flatMap(({ change }) => change ?? []));
      };
      const work = ready === undefined ? first?.run : commit;
      // The first of a commit stands for all of its changes.
      const isSettled = await runInScope(first?.scope, () => settle(round, work));
      if (!isSettled) this.#queue = [...round, ...this.#queue];
    }
    this.#running = undefined;
  }

  /** The changes at the head of the queue up to the first that runs alone, or that one; within the limits of a commit. */
  #nextRound(): Waiting<Change>[] {
    let [end, bytes] = [0, 0];
    for (const { change } of this.#queue) {
      bytes += change === undefined ? 0 : this.#settings.bytesOf(change);
      if (end > 0 && (change === undefined || end >= MAX_ROUND || bytes > MAX_ROUND_BYTES)) break;
      end += 1;
      if (change === undefined) break;
    }
    const round = this.#queue.slice(0, end);
    this.#queue = this.#queue.slice(end);
    return round;
  }
}

/** Returns false if the work must be done again. */
async function settle<Change>(
  group: readonly Waiting<Change>[],
  work: (() => Promise<boolean | void> | void) | undefined,
): Promise<boolean> {
  try {
    if ((await work?.()) === false) return false;
    for (const { done } of group) done();
  } catch (error) {
    for (const { failed } of group) failed(error);
  }
  return true;
}
