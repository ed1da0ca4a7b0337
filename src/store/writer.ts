import { LoreError } from '../memory/errors.ts';

/** The kinds of change; many of one kind share a commit. */
export interface Commits<Insert, Update, Removal> {
  insert(changes: readonly Insert[]): Promise<void>;
  update(changes: readonly Update[]): Promise<void>;
  remove(changes: readonly Removal[]): Promise<void>;
}

/** A change names the entry that it is about. */
export interface Change {
  readonly id: string;
}

type Kind = keyof Commits<never, never, never>;

interface Waiting {
  /** Undefined for work that runs alone. */
  readonly kind: Kind | undefined;
  readonly id: string | undefined;
  readonly run: () => Promise<void>;
  readonly change: unknown;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Keeps one commit from growing past what a reader or the memory would notice. */
const MAX_ROUND = 2000;
/** The order of a round. Changes of one round are of different entries, or of one kind, so any order is as good for whoever waits. */
const ORDER: readonly Kind[] = ['remove', 'update', 'insert'];

/**
 * One queue of changes, worked off in rounds. Whatever waits while a round is in flight goes into the next one, one commit for each kind
 * (group commit): LanceDB makes a version and a fragment for every commit, so a hundred changes at once cost three, not a hundred. Changes
 * of one entry keep their order; each promise settles with the commit that carried its change.
 */
export class Writer<Insert extends Change, Update extends Change, Removal extends Change> {
  readonly #commits: Commits<Insert, Update, Removal>;
  #queue: Waiting[] = [];
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

  /** Runs alone between rounds: nothing is written meanwhile. */
  exclusive(run: () => Promise<void>): Promise<void> {
    return this.#submit(undefined, undefined, run);
  }

  /** Finishes what was accepted, then refuses everything. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== undefined) await this.#running;
  }

  #submit(kind: Kind | undefined, change: Change | undefined, run = () => Promise.resolve()): Promise<void> {
    if (this.#closed) return Promise.reject(new LoreError('unavailable', 'The store is closing.'));
    return new Promise<void>((done, failed) => {
      this.#queue.push({ kind, id: change?.id, change, run, done, failed });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // One turn of the event loop, so that requests which arrived together share the first round too.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const round = this.#nextRound();
      const alone = round[0]?.kind === undefined ? round[0] : undefined;
      if (alone !== undefined) await settle([alone], alone.run);
      for (const kind of ORDER) {
        const group = round.filter((waiting) => waiting.kind === kind);
        if (group.length > 0) await settle(group, () => this.#commit(kind, group));
      }
    }
    this.#running = undefined;
  }

  /** From the head of the queue up to the first change whose entry another kind of change of this round is about. */
  #nextRound(): Waiting[] {
    const kinds = new Map<string, Kind>();
    const end = this.#queue.findIndex(({ kind, id }, index) => {
      if (kind === undefined || id === undefined) return index > 0;
      const other = kinds.get(id);
      kinds.set(id, kind);
      return index === MAX_ROUND || (other !== undefined && other !== kind) || this.#queue[0]?.kind === undefined;
    });
    const round = end === -1 ? this.#queue : this.#queue.slice(0, end);
    this.#queue = end === -1 ? [] : this.#queue.slice(end);
    return round;
  }

  #commit(kind: Kind, group: readonly Waiting[]): Promise<void> {
    const changes = group.map(({ change }) => change);
    switch (kind) {
      case 'insert':
        return this.#commits.insert(changes as Insert[]);
      case 'update':
        return this.#commits.update(changes as Update[]);
      case 'remove':
        return this.#commits.remove(changes as Removal[]);
    }
  }
}

async function settle(group: readonly Waiting[], commit: () => Promise<void>): Promise<void> {
  try {
    await commit();
    for (const { done } of group) done();
  } catch (error) {
    for (const { failed } of group) failed(error);
  }
}
