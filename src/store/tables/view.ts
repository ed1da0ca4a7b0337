import type { RawRow } from '../format/rows.ts';
import { shardOf } from '../format/shards.ts';
import type { Snapshot } from './snapshot.ts';

/** The view of the entries for reads: one version of each entry table. */
export class View {
  /** By shard. */
  readonly parts: readonly Snapshot[];

  constructor(parts: readonly Snapshot[]) {
    this.parts = parts;
  }

  /** Increases with every change of the tables. */
  get version(): number {
    return this.parts.reduce((sum, { version }) => sum + version, 0);
  }

  /** Identifies the contents of the tables. */
  get stamp(): string {
    return this.parts.map(({ version }) => version).join('.');
  }

  /** Number of rows. */
  get size(): number {
    return this.parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** Runs work with several reads, and keeps the view open for it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const releases = this.parts.map((part) => part.hold());
    try {
      return await work();
    } finally {
      for (const release of releases) release();
    }
  }

  /** The non-empty tables that may have entries of these namespaces, or of any. */
  partsFor(namespaces: readonly string[] | undefined): readonly Snapshot[] {
    const { parts } = this;
    if (parts.length === 1) return parts;
    const wanted = namespaces && new Set(namespaces.map((namespace) => shardOf(namespace, parts.length)));
    return parts.filter(({ size }, shard) => size > 0 && wanted?.has(shard) !== false);
  }

  /** Columns of the rows of these ids, in any order; unknown ids are left out. */
  async rows(ids: readonly string[], columns: readonly string[]): Promise<RawRow[]> {
    const found = await Promise.all(this.parts.map((part) => part.rows(ids, columns)));
    return found.flat();
  }
}
