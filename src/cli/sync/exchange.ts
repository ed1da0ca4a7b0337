import type { Source } from '../../memory/entry.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { SyncApplied, SyncApplyRequest, SyncEntry } from '../../memory/operations/sync-operations.ts';
import type { Direction, SyncPlan } from './comparison.ts';

/** Entries, tombstones or relations sent in one request. */
const BATCH = 500;
/** Share of the largest request that is available for entries. */
const BODY_SHARE = 0.9;

/** The counts of one namespace, or the expected ones. */
export interface SyncFigures {
  readonly new: number;
  readonly changed: number;
  /** Restored from the archive, because they were changed since. */
  readonly restored: number;
  readonly forgotten: number;
  /** Deleted for good. */
  readonly removed: number;
  /** Tombstones stored for entries that the target does not have. */
  readonly tombstones: number;
  /** Archived, because their exact text exists under another id. */
  readonly putAway: number;
  readonly relations: number;
  /** Deleted manual relations. */
  readonly unrelated: number;
  /** Entries that are newer in the target; the other direction transfers them. */
  readonly newer: number;
  /** Ids of entries that are too large for the target. */
  readonly tooLarge: readonly string[];
  /** Ids of new entries that the target may have deleted before its oldest tombstone. */
  readonly mayBeDeleted: readonly string[];
}

/** The expected counts of a plan. */
export function expectedFigures({ steps, relations, newer, tombstones, unrelated, mayBeDeleted }: SyncPlan): SyncFigures {
  const count = (wanted: string): number => steps.filter(({ action }) => action === wanted).length;
  return {
    new: count('new'),
    changed: count('changed'),
    restored: count('restored'),
    forgotten: count('forgotten'),
    removed: count('removed'),
    tombstones: tombstones.length - count('removed') + unrelated.filter(({ isThere }) => !isThere).length,
    putAway: count('put away'),
    relations: relations.length,
    unrelated: unrelated.filter(({ isThere }) => isThere).length,
    newer,
    tooLarge: [],
    mayBeDeleted,
  };
}

/** Called with the number of completed steps. */
type OnProgress = (steps: number) => void;

/** Carries out a plan, batch by batch. Completed batches stay if it is interrupted; repeat it to continue. */
export async function applyPlan(direction: Direction, plan: SyncPlan, onProgress: OnProgress = () => {}): Promise<SyncFigures> {
  const run = new Exchange(direction, plan, onProgress);
  await run.remove();
  await run.forget();
  await run.send();
  await run.relate();
  return run.figures;
}

const SOURCE: Source = 'cli';
const COUNTS = [
  'stored',
  'changed',
  'restored',
  'forgotten',
  'removed',
  'tombstones',
  'related',
  'unrelated',
  'putAway',
] as const satisfies readonly (keyof SyncApplied)[];

class Exchange {
  readonly #direction: Direction;
  readonly #plan: SyncPlan;
  readonly #onProgress: OnProgress;
  readonly #applied = { stored: 0, changed: 0, restored: 0, forgotten: 0, removed: 0, tombstones: 0, related: 0, unrelated: 0, putAway: 0 };
  readonly #tooLarge: string[] = [];
  /** Automatic relations of the sent entries. */
  readonly #found = new Map<string, Relation>();

  constructor(direction: Direction, plan: SyncPlan, onProgress: OnProgress) {
    this.#direction = direction;
    this.#plan = plan;
    this.#onProgress = onProgress;
  }

  get figures(): SyncFigures {
    const { stored, related, ...counts } = this.#applied;
    const { newer, mayBeDeleted } = this.#plan;
    return { new: stored, ...counts, relations: related, newer, tooLarge: this.#tooLarge, mayBeDeleted };
  }

  /** First, as in `forget`. */
  async remove(): Promise<void> {
    const removed = new Set(this.#plan.steps.filter(({ action }) => action === 'removed').map(({ id }) => id));
    for (const tombstones of batches(this.#plan.tombstones)) {
      await this.#apply({ tombstones });
      this.#onProgress(tombstones.filter(({ id }) => removed.has(id)).length);
    }
  }

  /** First, because forgotten entries make room for the same text under another id. */
  async forget(): Promise<void> {
    const forgotten = this.#plan.steps.filter(({ action }) => action === 'forgotten').map(({ id, at }) => ({ id, at }));
    for (const batch of batches(forgotten)) {
      await this.#apply({ forgotten: batch });
      this.#onProgress(batch.length);
    }
  }

  async send(): Promise<void> {
    const duplicates: string[] = [];
    const wanted = this.#plan.steps.filter(({ action }) => action !== 'forgotten' && action !== 'removed').map(({ id }) => id);
    for await (const entries of this.#read(wanted)) {
      duplicates.push(...(await this.#apply({ entries })).twins);
      this.#onProgress(entries.length);
    }
    for await (const entries of this.#read(duplicates)) await this.#apply({ entries, settle: true });
  }

  async relate(): Promise<void> {
    const ended = this.#plan.unrelated.map(({ sourceId, targetId, type, at }) => ({ sourceId, targetId, type, at }));
    for (const unrelated of batches(ended)) await this.#apply({ unrelated });
    const relations = [...this.#found.values(), ...this.#plan.relations];
    for (const batch of batches(relations)) await this.#apply({ relations: batch });
  }

  /** Groups entries of these ids, as many as fit into one request. */
  async *#read(ids: readonly string[]): AsyncGenerator<SyncEntry[]> {
    const { namespace, embedder, maxBytes } = this.#plan;
    const room = maxBytes * BODY_SHARE;
    let batch: SyncEntry[] = [];
    let bytes = 0;
    for (const some of batches(ids)) {
      for (let rest: readonly string[] = some; rest.length > 0;) {
        const answer = await this.#direction.from.entries({ namespace, ids: [...rest], vectorsOf: embedder });
        for (const relation of answer.relations) this.#found.set(relationKey(relation), relation);
        rest = answer.rest;
        for (const given of answer.entries) {
          const { entry, size } = fitted(given, room);
          if (size > room) {
            this.#tooLarge.push(entry.id);
            continue;
          }
          if (bytes + size > room || batch.length === BATCH) {
            yield batch;
            [batch, bytes] = [[], 0];
          }
          batch.push(entry);
          bytes += size;
        }
      }
    }
    if (batch.length > 0) yield batch;
  }

  async #apply(request: Omit<SyncApplyRequest, 'namespace'>): Promise<SyncApplied> {
    const applied = await this.#direction.to.apply({ namespace: this.#plan.namespace, ...request }, { source: SOURCE });
    for (const name of COUNTS) this.#applied[name] += applied[name] ?? 0;
    return applied;
  }
}

/** An entry with its size as JSON; without vectors if it is too large with them. */
function fitted(entry: SyncEntry, room: number): { entry: SyncEntry; size: number } {
  const size = sizeOf(entry);
  if (size <= room || entry.vectors === undefined) return { entry, size };
  const { vectors: _, ...bare } = entry;
  return { entry: bare, size: sizeOf(bare) };
}

const sizeOf = (entry: SyncEntry): number => Buffer.byteLength(JSON.stringify(entry)) + 1;

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}
