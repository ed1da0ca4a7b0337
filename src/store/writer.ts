import { LoreError } from '../memory/errors.ts';

/** The kinds of change that can share one commit with their like. */
export interface Commits<Insert, Update, Removal> {
  insert(changes: readonly Insert[]): Promise<void>;
  update(changes: readonly Update[]): Promise<void>;
  remove(changes: readonly Removal[]): Promise<void>;
  exclusive(changes: readonly (() => Promise<void>)[]): Promise<void>;
}

type Kind = keyof Commits<unknown, unknown, unknown>;

interface Waiting {
  readonly kind: Kind;
  readonly change: unknown;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Keeps one commit from growing past what a reader or the memory would notice. */
const MAX_GROUP = 2000;

/**
 * One ordered queue of changes. Whatever waits while a commit is in flight goes into the next one (group commit): LanceDB makes a version
 * and a fragment for every commit, so a hundred saves at once cost one, not a hundred. Order is kept between kinds; each promise settles
 * with the commit that carried its change.
 */
export class Writer<Insert, Update, Removal> {
  readonly #commits: Commits<Insert, Update, Removal>;
  readonly #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(commits: Commits<Insert, Update, Removal>) {
    this.#commits = commits;
  }

  insert(change: Insert): Promise<void> {
    return this.#submit('insert', change);
  }

  update(change: Update): Promise<void> {
    return this.#submit('update', change);
  }

  remove(change: Removal): Promise<void> {
    return this.#submit('remove', change);
  }

  /** Runs alone between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void>): Promise<void> {
    return this.#submit('exclusive', run);
  }

  /** Finishes what was accepted, then refuses everything. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== undefined) await this.#running;
  }

  #submit(kind: Kind, change: unknown): Promise<void> {
    if (this.#closed) return Promise.reject(new LoreError('unavailable', 'The store is closing.'));
    return new Promise<void>((done, failed) => {
      this.#queue.push({ kind, change, done, failed });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that requests which arrived together share the first commit too.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const group = this.#next();
      try {
        await this.#commit(group);
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#running = undefined;
  }

  /** The longest run of one kind at the head of the queue. */
  #next(): Waiting[] {
    const kind = this.#queue[0]?.kind;
    const end = this.#queue.findIndex((waiting, index) => waiting.kind !== kind || index === MAX_GROUP);
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  #commit(group: readonly Waiting[]): Promise<void> {
    const changes = group.map(({ change }) => change);
    switch (group[0]?.kind) {
      case 'insert':
        return this.#commits.insert(changes as Insert[]);
      case 'update':
        return this.#commits.update(changes as Update[]);
      case 'remove':
        return this.#commits.remove(changes as Removal[]);
      case 'exclusive':
        return this.#commits.exclusive(changes as (() => Promise<void>)[]);
      case undefined:
        return Promise.resolve();
    }
  }
}
