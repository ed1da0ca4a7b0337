import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../memory/clock.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Store } from '../../store/store.ts';
import { RelationFinder, type FoundRelation } from './relation-finder.ts';
import { otherEnd, relationsOf } from './relation-walk.ts';

/** Entries that may wait; those saved while as many wait get no relations. */
const MAX_WAITING = 2000;
/** Entries that a short command relates before it ends, and how long it takes at most. */
const AT_THE_END = 50;
const END_MS = 1500;
/** Entries that come within this time are of one import. */
const SAME_IMPORT_MS = 5000;
/** After the answer to the save. */
const START_MS = 20;
/** Requests come first, up to a limit. */
const QUIET_MS = 50;
const LONGEST_WAIT_MS = 3000;
/** Rest after each entry, in parts of the time that it took: an import must not keep the machine busy. */
const REST = { saved: 1, changed: 1, imported: 4 } as const;

/** Why an entry is looked at. */
type Reason = keyof typeof REST;

interface Parts {
  readonly store: Store;
  /** Similarity of the words from which two entries are linked as `similar`; see `Likeness`. */
  readonly similarFrom: number;
  readonly clock: Clock;
  /** Whether to work in the background; else a few entries get their relations at the end. */
  readonly background: boolean;
  readonly log: Log;
}

/**
 * Finds relations of what was saved or changed, in the background: one entry at a time, when no request was there for a moment. What waits
 * is in memory only: what a process did not get to before its end gets no relations.
 */
export class AutoRelations {
  readonly #parts: Parts;
  readonly #finder: RelationFinder;
  readonly #waiting = new Map<string, Reason>();
  readonly #ending = new AbortController();
  #lastRequestAt = -Infinity;
  #lastImportedAt = -Infinity;
  #isFlooded = false;
  #start: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#finder = new RelationFinder(parts);
  }

  /** Entries whose turn has not come or is not over. */
  get waiting(): number {
    return this.#waiting.size + (this.#running === undefined ? 0 : 1);
  }

  /** Told of every request. */
  noteRequest(): void {
    this.#lastRequestAt = performance.now();
  }

  /** Told of every new entry. */
  noteSaved(id: string): void {
    this.#add(id, 'saved');
  }

  /** Told of every entry with another text or in another namespace. */
  noteChanged(id: string): void {
    this.#add(id, 'changed');
  }

  /** Told of every new entry of an import. Of one that brings more than may wait, those that wait are let go too, and the rest. */
  noteImported(id: string): void {
    const now = performance.now();
    this.#isFlooded &&= now - this.#lastImportedAt < SAME_IMPORT_MS;
    this.#lastImportedAt = now;
    if (this.#isFlooded) return;
    if (this.#waiting.size < MAX_WAITING) {
      this.#add(id, 'imported');
      return;
    }
    this.#isFlooded = true;
    for (const [other, reason] of this.#waiting) if (reason === 'imported') this.#waiting.delete(other);
    this.#parts.log.info({ most: MAX_WAITING }, 'a large import: its entries get no relations of their own accord');
  }

  /** Stops after the entry in hand. Safe to repeat. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#start);
    await this.#running;
    if (!this.#parts.background) await this.#workOffFew();
  }

  #add(id: string, reason: Reason): void {
    if (this.#ending.signal.aborted) return;
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(id)) return;
    this.#waiting.set(id, reason);
    this.#begin();
  }

  #begin(): void {
    if (!this.#parts.background) return;
    if (this.#running !== undefined || this.#start !== undefined || this.#waiting.size === 0 || this.#ending.signal.aborted) return;
    this.#start = setTimeout(() => {
      this.#start = undefined;
      this.#running = this.#workOff().finally(() => {
        this.#running = undefined;
        this.#begin();
      });
    }, START_MS).unref();
  }

  async #workOff(): Promise<void> {
    const { signal } = this.#ending;
    try {
      for (const [id, reason] of this.#waiting) {
        await this.#whenQuiet();
        const began = performance.now();
        this.#waiting.delete(id);
        await this.#tryToRelate(id, reason);
        await sleep((performance.now() - began) * REST[reason], undefined, { signal, ref: false });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** For a command that opened the store itself. Of many that it brought, none: they would keep it from ending. */
  async #workOffFew(): Promise<void> {
    if (this.#waiting.size > AT_THE_END) return;
    const latest = performance.now() + END_MS;
    for (const [id, reason] of this.#waiting) {
      if (performance.now() > latest) return;
      this.#waiting.delete(id);
      await this.#tryToRelate(id, reason);
    }
  }

  async #tryToRelate(id: string, reason: Reason): Promise<void> {
    await this.#relate(id, reason).catch((error: unknown) => {
      this.#parts.log.warn({ error: String(error) }, 'the relations of an entry could not be found');
    });
  }

  async #whenQuiet(): Promise<void> {
    const { signal } = this.#ending;
    signal.throwIfAborted();
    const latest = performance.now() + LONGEST_WAIT_MS;
    while (performance.now() < Math.min(latest, this.#lastRequestAt + QUIET_MS)) await sleep(QUIET_MS, undefined, { signal, ref: false });
  }

  async #relate(id: string, reason: Reason): Promise<void> {
    const { store, clock } = this.#parts;
    const row = (await store.entries.rows([id])).get(id);
    if (row === undefined) return;
    const found = await this.#finder.find(row);
    const wanted = found.filter((relation) => !this.#isSettled(relation));
    const outdated = reason === 'changed' ? this.#outdated(id, found) : [];
    await Promise.all([
      ...outdated.map(async (relation) => await unlessGone(store.entries.changes.unrelate(relationKey(relation)))),
      ...wanted.map(async (relation) => {
        await unlessGone(store.entries.changes.relate({ ...relation, createdAt: clock.now(), origin: 'auto' }));
      }),
    ]);
  }

  /** Whether it is there already, or someone said by hand how the two are related. */
  #isSettled({ sourceId, targetId, type, strength }: FoundRelation): boolean {
    return relationsOf(this.#parts.store, sourceId).some(
      (known) =>
        otherEnd(known, sourceId) === targetId &&
        (known.origin === 'manual' || (known.sourceId === sourceId && known.type === type && known.strength === strength)),
    );
  }

  /** What was found of an earlier text of the entry and not of this one. What others say of it in their own words stays. */
  #outdated(id: string, found: readonly FoundRelation[]): Relation[] {
    const keys = new Set(found.map(relationKey));
    return relationsOf(this.#parts.store, id).filter(
      (known) => known.origin === 'auto' && !keys.has(relationKey(known)) && (known.type !== 'references' || known.sourceId === id),
    );
  }
}

/** An entry or a relation that is gone by now needs nothing; two that would hide one another stay as they are. */
async function unlessGone(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof LoreError && (error.code === 'not_found' || error.code === 'invalid_input'))) throw error;
  });
}
