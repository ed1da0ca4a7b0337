import { CHANGE_KINDS, type ChangeKind, type StoreEvent } from '../../memory/operations/event-operations.ts';
import type { EntryChange } from '../../store/write/entry-changes.ts';

/** Ids that one event names; further ones are only counted. */
const MAX_IDS = 100;
const MAX_NAMESPACES = 100;
/** Changes that are listed one by one. */
const MAX_KEPT = 2_000;

type Counts = Record<ChangeKind, number>;
const noCounts = (): Counts => ({ saved: 0, changed: 0, forgotten: 0 });

/** The change as seen from one namespace, or from all: an entry that moves in is new, one that moves out is deleted. */
function kindOf({ before, after }: EntryChange, namespace?: string): ChangeKind | undefined {
  const [was, is] = [before, after].map((place) => place !== undefined && (namespace === undefined || place === namespace));
  if (was && is) return 'changed';
  if (is) return 'saved';
  return was ? 'forgotten' : undefined;
}

/** The changes within a short interval: few are listed, many are only counted. */
export class EventBatch {
  /** By id, the combined change of each entry; undefined once there are too many. */
  #changes: Map<string, EntryChange> | undefined = new Map();
  readonly #all = noCounts();
  readonly #counts = new Map<string, Counts>();

  /** Approximate size in memory. */
  get size(): number {
    return this.#changes?.size ?? this.#counts.size;
  }

  get isEmpty(): boolean {
    return this.#changes?.size === 0;
  }

  add(change: EntryChange): void {
    if (this.#changes === undefined) return this.#count(change);
    const { id, after } = change;
    const earlier = this.#changes.get(id);
    const before = earlier === undefined ? change.before : earlier.before;
    this.#changes.delete(id);
    // An entry created and deleted within the interval was never visible.
    if (before !== undefined || after !== undefined) this.#changes.set(id, { id, before, after });
    if (this.#changes.size <= MAX_KEPT) return;
    for (const kept of this.#changes.values()) this.#count(kept);
    this.#changes = undefined;
  }

  /** The events for a reader of this namespace, or of all; `idOf` returns the id of each of the three kinds, in order. */
  events(namespace: string | undefined, idOf: (place: number) => string): StoreEvent[] {
    if (this.#changes === undefined) {
      const counts = namespace === undefined ? this.#all : this.#counts.get(namespace);
      const namespaces = namespace === undefined ? [...this.#counts.keys()] : [namespace];
      return counts === undefined ? [] : [many(counts, namespaces, idOf)];
    }
    const seen = [...this.#changes.values()].filter((change) => kindOf(change, namespace) !== undefined);
    if (seen.length > MAX_IDS) return [many(countsOf(seen, namespace), touched(seen, namespace), idOf)];
    return CHANGE_KINDS.flatMap((type, place): StoreEvent[] => {
      const ours = seen.filter((change) => kindOf(change, namespace) === type);
      if (ours.length === 0) return [];
      return [{ id: idOf(place), type, ids: ours.map(({ id }) => id), namespaces: touched(ours, namespace), count: ours.length }];
    });
  }

  #count(change: EntryChange): void {
    const kind = kindOf(change);
    if (kind !== undefined) this.#all[kind] += 1;
    for (const namespace of new Set([change.before, change.after])) {
      if (namespace === undefined) continue;
      const counts = this.#counts.get(namespace) ?? noCounts();
      const seen = kindOf(change, namespace);
      if (seen !== undefined) counts[seen] += 1;
      this.#counts.set(namespace, counts);
    }
  }
}

function many(counts: Counts, namespaces: readonly string[], idOf: (place: number) => string): StoreEvent {
  const count = counts.saved + counts.changed + counts.forgotten;
  const id = idOf(CHANGE_KINDS.length - 1);
  return { id, type: 'many', ...counts, namespaces: namespaces.toSorted().slice(0, MAX_NAMESPACES), count };
}

function countsOf(changes: readonly EntryChange[], namespace: string | undefined): Counts {
  const counts = noCounts();
  for (const change of changes) {
    const kind = kindOf(change, namespace);
    if (kind !== undefined) counts[kind] += 1;
  }
  return counts;
}

/** The namespaces that these changes touch, of those that may be named. */
function touched(changes: readonly EntryChange[], namespace: string | undefined): string[] {
  if (namespace !== undefined) return [namespace];
  const all = new Set(changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  return [...all].toSorted().slice(0, MAX_NAMESPACES);
}
