import type { Flusher } from './flusher.ts';
import { growVectorIndex, mergeEntries, mergeIndexed } from './flush.ts';
import type { Database } from '../tables/database.ts';
import { dropIndexes, type VectorIndexes, type VectorIndexPlan } from '../tables/indexes.ts';
import { pruneTable, type MergeResult } from '../tables/merging.ts';

interface Parts {
  readonly database: Database;
  readonly flusher: Flusher;
}

/** The result of compacting the tables. */
interface Tended extends MergeResult {
  /** Current versions of the tables. */
  readonly indexes: VectorIndexes;
}

/**
 * Compacts and indexes the entry tables. Skips a table without changes since its last compaction, so the cost depends on the amount
 * changed.
 */
export class TableCompaction {
  readonly #parts: Parts;
  /** Names of tables that may need compaction. */
  readonly #untidy = new Set<string>();
  /** Fully compacted versions, by table name. */
  readonly #whole = new Map<string, number>();
  #indexBuiltAt: number | undefined;
  /** Column of an index that a service maintains. */
  #asked: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.lookAgain();
  }

  /** When this process last built a vector index, epoch milliseconds. */
  get indexBuiltAt(): number | undefined {
    return this.#indexBuiltAt;
  }

  /** Initially, every table may need it. */
  lookAgain(): void {
    this.#whole.clear();
    for (const { name } of this.#parts.database.tables) this.#untidy.add(name);
  }

  /**
   * After a flush: merges the written tables, with `whole` every other uncompacted one too, and builds the vector indexes of the plan.
   * Calls `onIndexing` before each index. Reads do not see it.
   */
  async tend(plan: VectorIndexPlan | undefined, { whole, onIndexing }: { whole: boolean; onIndexing: () => void }): Promise<Tended> {
    const { database, flusher } = this.#parts;
    if (!database.abilities.compaction) return { merged: 0, made: 0, changed: false, isWhole: false, indexes: await this.#ask(plan) };
    const indexes = new Map<string, VectorIndexPlan>();
    const merges: MergeResult[] = [];
    for (const table of database.tables) {
      const { name, writer, snapshot } = table;
      const version = await writer.version();
      const isWritten = version !== snapshot.version;
      if (isWritten) this.#untidy.add(name);
      const known = flusher.indexes.get(name);
      if (isWritten || (whole && this.#untidy.has(name) && this.#whole.get(name) !== version)) {
        const merge = await mergeEntries(table, plan, { whole, slowReads: database.abilities.slowReads });
        merges.push(merge);
        onIndexing();
        if (plan !== undefined && (await this.#grow(table, plan))) indexes.set(name, plan);
        if (merge.isWhole) this.#whole.set(name, await writer.version());
      } else if (known !== undefined) indexes.set(name, known);
    }
    const sum = (figure: (merge: MergeResult) => number): number => merges.reduce((total, merge) => total + figure(merge), 0);
    return {
      merged: sum(({ merged }) => merged),
      made: sum(({ made }) => made),
      changed: merges.some(({ changed }) => changed),
      isWhole: whole && merges.every(({ isWhole }) => isWhole),
      indexes,
    };
  }

  /** After a rewrite of all tables: compacts all of them, with an index of this plan. */
  async rebuild(plan: VectorIndexPlan): Promise<VectorIndexes> {
    const indexes = new Map<string, VectorIndexPlan>();
    for (const table of this.#parts.database.tables) {
      await dropIndexes(table.writer, [plan.column]);
      await mergeIndexed(table.writer, { whole: true, slowReads: this.#parts.database.abilities.slowReads, isWritten: true });
      if (await this.#grow(table, plan)) indexes.set(table.name, plan);
    }
    this.lookAgain();
    return indexes;
  }

  /**
   * When reads use the compacted versions: removes files of versions that are no longer read. `noReads`: no read is running, so older
   * versions go at once.
   */
  async prune({ noReads }: { readonly noReads: boolean }): Promise<void> {
    const { database, flusher } = this.#parts;
    if (noReads) database.releaseOlder();
    for (const table of database.tables) {
      if (!this.#untidy.has(table.name)) continue;
      const isLast = !database.abilities.shared && table.oldestInUse === undefined;
      const before = await flusher.prunedBefore(table);
      if (before === undefined) continue;
      // LanceDB never removes the newest version, which is the one of the reader now.
      await pruneTable(table.writer, before);
      if (isLast) this.#untidy.delete(table.name);
    }
  }

  /** Requests the index from the service once; the service builds it later. */
  async #ask(plan: VectorIndexPlan | undefined): Promise<VectorIndexes> {
    const [table] = this.#parts.database.tables;
    if (plan === undefined || table === undefined) return new Map();
    if (this.#asked !== plan.column && !(await this.#grow(table, plan))) return new Map();
    this.#asked = plan.column;
    return new Map([[table.name, plan]]);
  }

  /** Whether the table has the index afterwards. */
  async #grow({ writer }: Pick<Database['tables'][number], 'writer'>, plan: VectorIndexPlan): Promise<boolean> {
    const index = await growVectorIndex(writer, plan);
    if (index === 'built') this.#indexBuiltAt = Date.now();
    return index !== 'none';
  }
}
