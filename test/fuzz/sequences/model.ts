/**
 * What a store must hold, as simply as it can be said: lists and maps, no index, no disk. Of relations those that someone makes by hand; `similar` ones,
 * which Lore makes by itself, are left out.
 */

export interface Facts {
  content: string;
  namespace: string;
  container: string;
  tags: string[];
  priority: string;
  importance: number;
}
export interface ModelEntry extends Facts {
  readonly id: string;
  readonly source: string;
  /** Epoch milliseconds as shown; of entries of one moment the order of coming in decides. */
  readonly createdAt: number;
  readonly nth: number;
}
export interface ModelRelation {
  readonly sourceId: string;
  readonly type: string;
  readonly targetId: string;
  readonly strength: number;
}
export interface Archived {
  readonly entry: ModelEntry;
  readonly run: string;
  readonly reason: string;
  readonly relations: readonly ModelRelation[];
  readonly survivor?: string;
}
export type Place = Pick<Facts, 'content' | 'namespace' | 'container'>;
/** What an entry is to become; where it would say what another one says, it stays. */
export type Changed = 'changed' | 'same text is there';

export const keyOf = ({ sourceId, type, targetId }: Omit<ModelRelation, 'strength'>): string => `${sourceId} ${type} ${targetId}`;
const factsOf = ({ content, namespace, container, tags, priority, importance }: Facts): Facts => ({
  content,
  namespace,
  container,
  tags: [...tags],
  priority,
  importance,
});
const isSame = (one: Facts, other: Facts): boolean => JSON.stringify(factsOf(one)) === JSON.stringify(factsOf(other));

/** Where an entry is in another namespace: a container of its own stays, the one named after the namespace goes along. */
export function placeIn({ content, namespace, container }: Place, to: string): Place {
  return { content, namespace: to, container: container === namespace ? to : container };
}

/** One store. */
export class Model {
  readonly entries = new Map<string, ModelEntry>();
  readonly relations = new Map<string, ModelRelation>();
  /** Earliest first. */
  readonly archive = new Map<string, Archived>();
  /** What each entry was, latest first. */
  readonly history = new Map<string, Facts[]>();
  #count = 0;

  /** Oldest first. */
  all(isMeant: (entry: ModelEntry) => boolean = () => true): ModelEntry[] {
    return [...this.entries.values()].filter(isMeant).toSorted((a, b) => a.createdAt - b.createdAt || a.nth - b.nth);
  }

  twinOf({ content, namespace, container }: Place): ModelEntry | undefined {
    return this.all().find(
      (entry) =>
        entry.content.normalize('NFC') === content.normalize('NFC') && entry.namespace === namespace && entry.container === container,
    );
  }

  put(entry: Omit<ModelEntry, 'nth'>): void {
    this.#count += 1;
    this.entries.set(entry.id, { ...entry, nth: this.#count });
  }

  /** Adds the tags that are not there, as far as an entry may have tags. */
  mergeTags(id: string, tags: readonly string[]): void {
    const entry = this.entries.get(id)!;
    this.change(id, { tags: [...new Set([...entry.tags, ...tags])].slice(0, Math.max(64, entry.tags.length)) });
  }

  change(id: string, facts: Partial<Facts>): Changed {
    const entry = this.entries.get(id)!;
    const then = { ...entry, ...facts };
    const twin = this.twinOf(then);
    if (twin !== undefined && twin.id !== id) return 'same text is there';
    if (!isSame(entry, then)) this.history.set(id, [factsOf(entry), ...(this.history.get(id) ?? [])]);
    this.entries.set(id, then);
    return 'changed';
  }

  /** Takes the last change back; undefined where there was none. */
  undo(id: string): Changed | undefined {
    const [last] = this.history.get(id) ?? [];
    return last && this.change(id, last);
  }

  remove(id: string): void {
    this.entries.delete(id);
    this.history.delete(id);
    this.#unrelateAll(id);
  }

  moveToArchive(id: string, note: Pick<Archived, 'run' | 'reason' | 'survivor'>): void {
    const relations = this.relationsOf(id);
    this.archive.set(id, { ...note, entry: this.entries.get(id)!, relations });
    this.entries.delete(id);
    this.#unrelateAll(id);
  }

  /** The ids that come back; those whose text is there by now stay. The latest first. */
  restore(isWanted: (archived: Archived) => boolean): { restored: string[]; skipped: string[] } {
    const report = { restored: [] as string[], skipped: [] as string[] };
    for (const [id, archived] of [...this.archive].toReversed().filter(([, one]) => isWanted(one))) {
      const { entry, relations } = archived;
      if (this.twinOf(entry) !== undefined || this.entries.has(id)) {
        report.skipped.push(id);
        continue;
      }
      this.archive.delete(id);
      this.entries.set(id, entry);
      report.restored.push(id);
      for (const relation of relations) {
        const isHiding = relation.type === 'supersedes' && relation.targetId === id;
        if (!isHiding && this.#areThere(relation) && !this.relations.has(keyOf(relation))) this.relations.set(keyOf(relation), relation);
      }
    }
    return report;
  }

  /** Takes entries to another namespace. One whose text is there already is put away; the one that was there gets its tags and relations. */
  move(
    isMeant: (entry: ModelEntry) => boolean,
    { to, run }: { readonly to: string; readonly run: string },
  ): { moved: string[]; united: { id: string; kept: string }[] } {
    const moved: string[] = [];
    const left: string[] = [];
    for (const { id } of this.all((entry) => entry.namespace !== to && isMeant(entry))) {
      const gone = this.change(id, placeIn(this.entries.get(id)!, to));
      (gone === 'changed' ? moved : left).push(id);
    }
    const united = left.map((id) => ({ id, kept: this.twinOf(placeIn(this.entries.get(id)!, to))!.id }));
    for (const { id, kept } of united) this.#unite({ id, kept, run });
    return { moved, united };
  }

  /** Lets what is in the archive of some namespaces come back to another one. Gives how many there were, less those of this run. */
  moveArchive(from: readonly string[], { to, run }: { readonly to: string; readonly run: string }): number {
    const meant = [...this.archive].filter(([, { entry }]) => from.includes(entry.namespace));
    for (const [id, archived] of meant) this.archive.set(id, { ...archived, entry: { ...archived.entry, ...placeIn(archived.entry, to) } });
    return meant.filter(([, archived]) => archived.run !== run).length;
  }

  /** Whether relating them is refused: to itself, or in a circle of which every one would be hidden. */
  isRefused({ sourceId, type, targetId }: Omit<ModelRelation, 'strength'>): boolean {
    return sourceId === targetId || (type === 'supersedes' && this.#isNewer(targetId, sourceId));
  }

  relationsOf(id: string): ModelRelation[] {
    return [...this.relations.values()].filter(({ sourceId, targetId }) => sourceId === id || targetId === id);
  }

  isSuperseded(id: string): boolean {
    return [...this.relations.values()].some(({ type, targetId }) => type === 'supersedes' && targetId === id);
  }

  #unite({ id, kept, run }: { readonly id: string; readonly kept: string; readonly run: string }): void {
    for (const relation of this.relationsOf(id)) {
      const handed = relation.sourceId === id ? { ...relation, sourceId: kept } : { ...relation, targetId: kept };
      if (handed.sourceId === handed.targetId || this.relations.has(keyOf(handed)) || this.isRefused(handed)) continue;
      this.relations.set(keyOf(handed), handed);
    }
    const { tags } = this.entries.get(id)!;
    this.moveToArchive(id, { run, reason: 'near duplicate', survivor: kept });
    this.mergeTags(kept, tags);
  }

  #isNewer(newer: string, older: string, seen: ReadonlySet<string> = new Set()): boolean {
    if (seen.has(newer)) return false;
    return [...this.relations.values()]
      .filter(({ sourceId, type }) => sourceId === newer && type === 'supersedes')
      .some(({ targetId }) => targetId === older || this.#isNewer(targetId, older, new Set([...seen, newer])));
  }

  #areThere({ sourceId, targetId }: ModelRelation): boolean {
    return this.entries.has(sourceId) && this.entries.has(targetId);
  }

  #unrelateAll(id: string): void {
    for (const relation of this.relationsOf(id)) this.relations.delete(keyOf(relation));
  }
}
