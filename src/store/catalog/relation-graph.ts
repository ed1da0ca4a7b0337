import { relationKey, type Relation } from '../../memory/relation.ts';

/** All relations in memory, indexed by both ends. The writer keeps it up to date. */
export class RelationGraph {
  readonly #all = new Map<string, Relation>();
  /** Entry -> keys of the relations at that end. */
  readonly #from = new Map<string, Set<string>>();
  readonly #to = new Map<string, Set<string>>();

  get size(): number {
    return this.#all.size;
  }

  get(key: string): Relation | undefined {
    return this.#all.get(key);
  }

  all(): Iterable<Relation> {
    return this.#all.values();
  }

  /** Relations with the entry as source. */
  from(id: string): Relation[] {
    return this.#read(this.#from.get(id));
  }

  /** Relations with the entry as target. */
  to(id: string): Relation[] {
    return this.#read(this.#to.get(id));
  }

  set(relation: Relation): void {
    const key = relationKey(relation);
    this.#all.set(key, relation);
    setOf(this.#from, relation.sourceId).add(key);
    setOf(this.#to, relation.targetId).add(key);
  }

  delete(key: string): void {
    const relation = this.#all.get(key);
    if (relation === undefined) return;
    this.#all.delete(key);
    for (const [keys, id] of [
      [this.#from, relation.sourceId],
      [this.#to, relation.targetId],
    ] as const) {
      const left = keys.get(id);
      left?.delete(key);
      if (left?.size === 0) keys.delete(id);
    }
  }

  #read(keys: ReadonlySet<string> | undefined): Relation[] {
    return [...(keys ?? [])].flatMap((key) => this.#all.get(key) ?? []);
  }
}

function setOf(sets: Map<string, Set<string>>, id: string): Set<string> {
  const set = sets.get(id) ?? new Set<string>();
  sets.set(id, set);
  return set;
}
