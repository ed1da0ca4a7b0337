import type { Entry } from '../memory/entry.ts';
import type { NamespaceSummary } from '../memory/operations.ts';

/** What is known of every entry without asking a table. */
export interface Known {
  readonly namespace: string;
  readonly container: string;
  readonly contentHash: string;
  readonly createdAt: number;
  readonly importance: number;
  /** Fingerprint of the embedder of its vectors; empty while pending. */
  readonly embedder: string;
  /** Passages beyond the first. */
  readonly passages: number;
  /** Which version of the row this is; rises with every write. */
  readonly writtenAt: number;
}

/**
 * Every entry's whereabouts in memory (about 300 bytes each): answers "is it there", "is exactly this stored already" and the counts
 * without a query. Kept in step by the writer, which is alone in changing the tables.
 */
export class Directory {
  readonly #byId = new Map<string, Known>();
  /** Content hash to the ids that carry it; a hash is nearly always in one place. */
  readonly #byHash = new Map<string, string | string[]>();
  readonly #byEmbedder = new Map<string, number>();
  /** One copy of each name however many rows carry it. */
  readonly #names = new Map<string, string>();
  #longTexts = 0;
  #importanceSum = 0;
  #newestVersion = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** Entries with more than one passage. */
  get longTexts(): number {
    return this.#longTexts;
  }

  get averageImportance(): number {
    return this.size === 0 ? 0 : this.#importanceSum / this.size;
  }

  /** The highest version of any row so far. */
  get newestVersion(): number {
    return this.#newestVersion;
  }

  ids(): IterableIterator<string> {
    return this.#byId.keys();
  }

  get(id: string): Known | undefined {
    return this.#byId.get(id);
  }

  set(id: string, known: Known): void {
    this.delete(id);
    const kept = {
      ...known,
      namespace: this.#name(known.namespace),
      container: this.#name(known.container),
      embedder: this.#name(known.embedder),
    };
    this.#byId.set(id, kept);
    const others = this.#byHash.get(kept.contentHash);
    if (others === undefined) this.#byHash.set(kept.contentHash, id);
    else this.#byHash.set(kept.contentHash, [...(typeof others === 'string' ? [others] : others), id]);
    this.#byEmbedder.set(kept.embedder, (this.#byEmbedder.get(kept.embedder) ?? 0) + 1);
    if (kept.passages > 0) this.#longTexts += 1;
    this.#importanceSum += kept.importance;
    this.#newestVersion = Math.max(this.#newestVersion, kept.writtenAt);
  }

  delete(id: string): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    this.#byId.delete(id);
    const others = this.#byHash.get(known.contentHash);
    if (typeof others === 'object') {
      const rest = others.filter((other) => other !== id);
      this.#byHash.set(known.contentHash, rest.length === 1 && rest[0] !== undefined ? rest[0] : rest);
    } else this.#byHash.delete(known.contentHash);
    const left = (this.#byEmbedder.get(known.embedder) ?? 1) - 1;
    if (left === 0) this.#byEmbedder.delete(known.embedder);
    else this.#byEmbedder.set(known.embedder, left);
    if (known.passages > 0) this.#longTexts -= 1;
    this.#importanceSum -= known.importance;
  }

  /** The entry with exactly this content in this namespace and container, if there is one. */
  same({ contentHash, namespace, container }: Pick<Entry, 'contentHash' | 'namespace' | 'container'>): string | undefined {
    const ids = this.#byHash.get(contentHash);
    if (ids === undefined) return undefined;
    return (typeof ids === 'string' ? [ids] : ids).find((id) => {
      const known = this.#byId.get(id);
      return known?.namespace === namespace && known.container === container;
    });
  }

  /** Rows by embedder fingerprint; '' is pending. */
  embedders(): ReadonlyMap<string, number> {
    return this.#byEmbedder;
  }

  count(namespace: string): number {
    let count = 0;
    for (const known of this.#byId.values()) if (known.namespace === namespace) count += 1;
    return count;
  }

  /** Every namespace, the fullest first. */
  namespaces(): NamespaceSummary[] {
    const found = new Map<string, { entries: number; containers: Set<string>; newest: number }>();
    for (const { namespace, container, createdAt } of this.#byId.values()) {
      const summary = found.get(namespace) ?? { entries: 0, containers: new Set<string>(), newest: 0 };
      summary.entries += 1;
      summary.containers.add(container);
      summary.newest = Math.max(summary.newest, createdAt);
      found.set(namespace, summary);
    }
    return [...found]
      .map(([namespace, { entries, containers, newest }]) => ({ namespace, entries, containers: [...containers].toSorted(), newest }))
      .toSorted((a, b) => b.entries - a.entries || a.namespace.localeCompare(b.namespace));
  }

  *known(): IterableIterator<[string, Known]> {
    yield* this.#byId;
  }

  #name(name: string): string {
    const kept = this.#names.get(name);
    if (kept !== undefined) return kept;
    this.#names.set(name, name);
    return name;
  }
}
