import type { Job, JobRun } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Clock } from '../../memory/clock.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { RelationFinder, type FoundRelation } from './relation-finder.ts';
import { otherEnd, relationsOf } from './relation-walk.ts';

/** Length of the queue. Entries saved while it is full get no relations, and are counted. */
const MAX_WAITING = 2000;
/** Entries processed together: one query for their names, and one commit for their relations. */
const TOGETHER = 64;
/** Queue length from which relations no longer yield to requests. */
export const MANY_WAITING = MAX_WAITING / 2;
/** Entries that a short command relates before it ends, and the longest time for it. */
const AT_THE_END = 50;
const END_MS = 1500;
/** Entries that arrive within this time belong to one import. */
const SAME_IMPORT_MS = 5000;
/** Delay after the response to a save. */
const START_MS = 20;
/** How long relations yield to requests, with a limit. */
const LONGEST_WAIT_MS = 3000;
/** An entry that has waited this long is processed even during requests, and without a pause. */
const MOST_PATIENCE_MS = 20_000;
/** Pause after some entries, relative to the time they took: an import must not keep the machine busy. */
const REST = { saved: 1, changed: 1, imported: 4 } as const;

/** Why an entry is processed. */
type Reason = keyof typeof REST;

interface Waiting {
  readonly reason: Reason;
  /** When it arrived. */
  readonly since: number;
}

/** Decides how long relations yield to requests, in milliseconds. */
interface Situation {
  /** Since the next entries were due. */
  readonly waitedMs: number;
  /** Age of the entry that has waited longest. */
  readonly ageMs: number;
  readonly waiting: number;
}

/** Whether to yield to requests: not if many entries wait, or if an entry would wait for a minute. */
export function yieldsToRequests({ waitedMs, ageMs, waiting }: Situation): boolean {
  return waiting < MANY_WAITING && waitedMs < LONGEST_WAIT_MS && ageMs < MOST_PATIENCE_MS;
}

interface Parts {
  readonly store: Store;
  /** Similarity of the words from which two entries are linked as `similar`; see `Likeness`. */
  readonly similarFrom: number;
  readonly clock: Clock;
  /** If nothing runs in the background, a few entries get their relations when the store closes. */
  readonly scheduler: Pick<Scheduler, 'add' | 'background'>;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/**
 * Finds relations of saved and changed entries in the background, a few at a time, when no request arrived for a moment. The queue is only
 * in memory: entries still waiting when the process ends get no relations.
 */
export class AutoRelations {
  readonly #parts: Parts;
  readonly #finder: RelationFinder;
  readonly #waiting = new Map<string, Waiting>();
  readonly #job: Job;
  #lastImportedAt = -Infinity;
  #isFlooded = false;
  /** Entries that are being processed. */
  #atWork = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#finder = new RelationFinder(parts);
    this.#job = parts.scheduler.add({
      name: 'relations',
      run: (run) => this.#workOff(run),
      retryAfter: () => START_MS,
      failure: 'relations could not be found; the next entries follow',
      waiting: () => this.waiting,
      close: async (stop) => {
        await stop();
        if (!parts.scheduler.background) await this.#workOffFew();
      },
    });
  }

  /** Number of entries not processed yet. */
  get waiting(): number {
    return this.#waiting.size + this.#atWork;
  }

  /** Call for every new entry. */
  noteSaved(id: string): void {
    this.#add(id, 'saved');
  }

  /** Call for every entry with a changed text or namespace. */
  noteChanged(id: string): void {
    this.#add(id, 'changed');
  }

  /** Call for every imported entry. If the import has more entries than the queue holds, all of them are dropped. */
  noteImported(id: string): void {
    const now = performance.now();
    this.#isFlooded &&= now - this.#lastImportedAt < SAME_IMPORT_MS;
    this.#lastImportedAt = now;
    if (this.#isFlooded) return this.#skip('import');
    if (this.#waiting.size < MAX_WAITING) {
      this.#add(id, 'imported');
      return;
    }
    this.#isFlooded = true;
    this.#skip('import');
    for (const [other, { reason }] of this.#waiting) {
      if (reason !== 'imported') continue;
      this.#waiting.delete(other);
      this.#skip('import');
    }
    this.#parts.log.info({ most: MAX_WAITING }, 'a large import: its entries get no relations of their own accord');
  }

  #add(id: string, reason: Reason): void {
    if (this.#job.isEnding) return;
    const known = this.#waiting.get(id);
    if (known === undefined && this.#waiting.size >= MAX_WAITING) return this.#skip('full');
    this.#waiting.set(id, { reason, since: known?.since ?? performance.now() });
    this.#job.wake(START_MS);
  }

  #skip(why: 'full' | 'import'): void {
    this.#parts.telemetry.count('relations skipped', why);
  }

  async #workOff(run: JobRun): Promise<undefined> {
    for (let oldest = this.#oldest(); oldest !== undefined; oldest = this.#oldest()) {
      const { reason, since } = oldest;
      await run.whenQuiet((waitedMs) => yieldsToRequests({ waitedMs, ageMs: performance.now() - since, waiting: this.#waiting.size }));
      const began = performance.now();
      await this.#relateAll(this.#take(reason), reason, run);
      const now = performance.now();
      if (now - (this.#oldest()?.since ?? now) < MOST_PATIENCE_MS) await run.rest((now - began) * REST[reason]);
    }
  }

  #oldest(): Waiting | undefined {
    return this.#waiting.values().next().value;
  }

  /** The first waiting entries with the same reason. */
  #take(wanted: Reason): string[] {
    const ids: string[] = [];
    for (const [id, { reason }] of this.#waiting) {
      if (ids.length === TOGETHER || reason !== wanted) break;
      ids.push(id);
    }
    for (const id of ids) this.#waiting.delete(id);
    return ids;
  }

  /** For a command that opened the store itself. Skips larger numbers of entries, which would delay the end of the command. */
  async #workOffFew(): Promise<void> {
    if (this.#waiting.size > AT_THE_END) return;
    const latest = performance.now() + END_MS;
    for (const [id, { reason }] of this.#waiting) {
      if (performance.now() > latest) return;
      this.#waiting.delete(id);
      await this.#tryToRelate([id], reason);
    }
  }

  /** If one of them fails, the others are still processed. */
  async #relateAll(ids: readonly string[], reason: Reason, run: JobRun): Promise<void> {
    this.#atWork = ids.length;
    try {
      if (ids.length < 2) return await this.#tryToRelate(ids, reason, run);
      await this.#relate(ids, reason, run).catch(async () => {
        run.signal.throwIfAborted();
        for (const id of ids) await this.#tryToRelate([id], reason, run);
      });
    } finally {
      this.#atWork = 0;
    }
  }

  async #tryToRelate(ids: readonly string[], reason: Reason, run?: JobRun): Promise<void> {
    await this.#relate(ids, reason, run).catch((error: unknown) => {
      run?.signal.throwIfAborted();
      this.#parts.log.warn({ error: String(error) }, 'the relations of an entry could not be found');
    });
  }

  async #relate(ids: readonly string[], reason: Reason, run?: JobRun): Promise<void> {
    const { store, clock } = this.#parts;
    const rows = await store.entries.rows(ids);
    const found = await this.#finder.find(inOrder(ids, rows), run?.pause);
    const wanted = new Map<string, FoundRelation>();
    const outdated = new Map<string, Relation>();
    for (const [id, relations] of found) {
      for (const relation of relations) {
        const key = relationKey(relation);
        if (!wanted.has(key) && !this.#isSettled(relation)) wanted.set(key, relation);
      }
      if (reason === 'changed') for (const relation of this.#outdated(id, relations)) outdated.set(relationKey(relation), relation);
    }
    await Promise.all([
      ...[...outdated.keys()]
        .filter((key) => !wanted.has(key))
        .map(async (key) => await ignoreMissing(store.entries.changes.unrelate(key))),
      ...[...wanted.values()].map(async (relation) => {
        await ignoreMissing(store.entries.changes.relate({ ...relation, createdAt: clock.now(), origin: 'auto' }));
      }),
    ]);
  }

  /** Whether the relation exists already, or a manual one says how the two are related. */
  #isSettled({ sourceId, targetId, type, strength }: FoundRelation): boolean {
    return relationsOf(this.#parts.store, sourceId).some(
      (known) =>
        otherEnd(known, sourceId) === targetId &&
        (known.origin === 'manual' || (known.sourceId === sourceId && known.type === type && known.strength === strength)),
    );
  }

  /** Relations found from an earlier text of the entry that no longer follow. Relations found from the words of other entries stay. */
  #outdated(id: string, found: readonly FoundRelation[]): Relation[] {
    const keys = new Set(found.map(relationKey));
    return relationsOf(this.#parts.store, id).filter(
      (known) => known.origin === 'auto' && !keys.has(relationKey(known)) && (known.type !== 'references' || known.sourceId === id),
    );
  }
}

/** The rows of the existing entries. */
function inOrder(ids: readonly string[], rows: ReadonlyMap<string, EntryRow>): EntryRow[] {
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Nothing to do for an entry or relation that no longer exists. Two entries that would supersede each other stay unchanged. */
async function ignoreMissing(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof LoreError && (error.code === 'not_found' || error.code === 'invalid_input'))) throw error;
  });
}
