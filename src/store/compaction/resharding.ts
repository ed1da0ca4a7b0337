import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { asciiColumn, NameReader } from '../format/columns.ts';
import { growVectorIndex, mergeIndexed } from './flush.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { dropIndexes, type VectorIndexPlan } from '../tables/indexes.ts';
import type { Compactor } from './compactor.ts';
import { arrow } from '../format/schema.ts';
import { shardOf } from '../format/shards.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { Layout, BackendTables } from '../tables/backend-tables.ts';
import type { View } from '../tables/view.ts';
import { oneOf } from '../format/predicates.ts';

/** Rows in one batch for LanceDB. */
const BATCH_ROWS = 10_000;
/** Names or ids in one predicate. */
const BATCH_NAMES = 500;
/** Number of missing rows that are copied while maintenance waits, but writers do not. */
const FEW_ROWS = 5_000;
const ROUNDS_AT_MOST = 8;
/** Interval for checking whether reads still use the old tables. */
const POLL_MS = 500;

interface Parts {
  readonly tables: Pick<BackendTables, 'connect' | 'layout'>;
  readonly database: Database;
  readonly catalog: Catalog;
  readonly compactor: Compactor;
  /** Words are counted once after opening, which must not run at the same time. */
  readonly whenCounted: () => Promise<void>;
  readonly log: Log;
}

/** A table to be filled. */
interface Target {
  readonly table: Table;
  readonly schema: Schema;
}

interface Copying {
  readonly column: 'id' | 'namespace';
  readonly values: readonly string[];
  readonly target: Target;
}

/** Why it stopped: the copies are dropped, and the active tables stay. */
class Interrupted extends Error {}

/**
 * Spreads the entries of a store in use over another number of tables. It fills the new tables from the versions that reads use,
 * repeatedly, until little is missing; copies the rest between two flushes, and then moves all reads and writes in one step. If the
 * process ends before that, the store is unchanged.
 */
export class Resharding {
  readonly #parts: Parts;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether it is running. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Converts to this number of tables in the background, if possible. A failure is logged, and retried at the next start. */
  begin(shards: number): void {
    const { database, log } = this.#parts;
    const { layout } = this.#parts.tables;
    const before = database.tables.length;
    if (before === shards) return;
    if (layout === undefined) {
      log.info({ tables: before }, 'the entries of this store stay spread over as many tables as when it was made');
      return;
    }
    log.info({ from: before, to: shards }, 'the entries are being spread over another number of tables');
    this.#running = this.#run(layout, shards)
      .then(() => log.info({ tables: shards }, 'the entries are spread over another number of tables'))
      .catch((error: unknown) => {
        if (error instanceof Interrupted) return;
        log.warn({ error: String(error) }, 'the entries could not be spread over another number of tables; the next start retries');
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Stops as soon as possible and drops the copy. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(layout: Layout, shards: number): Promise<void> {
    const { database, whenCounted } = this.#parts;
    await whenCounted();
    const old = database.tables;
    try {
      // A change of the embedding model in the meantime rewrites all vectors, and so restarts this.
      while (!(await this.#copyAndSwitch(layout, shards)));
    } catch (error) {
      if (database.tables === old) await layout.drop(old.length);
      throw error;
    }
    await layout.retire(old.length);
    while (old.some(({ snapshot }) => snapshot.isOpen)) {
      this.#requireTime();
      await sleep(POLL_MS);
    }
    await layout.drop(shards);
  }

  /** False if all rows were rewritten in the meantime. */
  async #copyAndSwitch(layout: Layout, shards: number): Promise<boolean> {
    const { tables, database, compactor } = this.#parts;
    const { schema } = database;
    const { rewrites, plan } = compactor;
    const isOutdated = (): boolean => compactor.rewrites !== rewrites || compactor.plan !== plan || database.schema !== schema;
    const connection = await tables.connect();
    const targets: Target[] = [];
    try {
      for (const table of await layout.begin(connection, { shards, schema })) targets.push({ table, schema });
      await this.#copyAll(targets);
      for (let round = 0, changed = Infinity; changed > FEW_ROWS && round < ROUNDS_AT_MOST; round += 1) {
        if (isOutdated()) return false;
        const { view } = database;
        changed = await view.during(() => this.#bringUp(targets, view));
      }
      for (const { table } of targets) await this.#tidy(table, plan);
      // Copies most rows without blocking maintenance.
      await layout.sync(shards);
      let isSwitched = false;
      await compactor.between(async () => {
        if (isOutdated()) return;
        await database.settle();
        if ((await this.#bringUp(targets, database.view)) > 0) {
          for (const { table } of targets) await this.#tidy(table, plan);
          if ((await this.#bringUp(targets, database.view)) > 0) throw new LoreError('internal', 'Entries differ after they were copied.');
        }
        await compactor.exchange(targets.map(({ table }) => table));
        isSwitched = true;
      });
      return isSwitched;
    } finally {
      // The active tables have their own handles.
      for (const { table } of targets) table.close();
      connection.close();
    }
  }

  /** Copies all rows into empty tables, namespace by namespace. */
  async #copyAll(targets: readonly Target[]): Promise<void> {
    const { database, catalog } = this.#parts;
    const { view } = database;
    const names: string[][] = targets.map(() => []);
    for (const { namespace } of catalog.namespaces()) names[shardOf(namespace, targets.length)]!.push(namespace);
    await view.during(async () => {
      for (const [shard, target] of targets.entries()) await this.#copy(view, { column: 'namespace', values: names[shard]!, target });
    });
  }

  /** Makes the tables equal to this view. Resolves with the number of changed rows. */
  async #bringUp(targets: readonly Target[], view: View): Promise<number> {
    const [stale, missing] = await this.#differences(targets, view);
    for (const [shard, target] of targets.entries()) {
      const ids = [...stale[shard]!.keys()];
      for (let start = 0; start < ids.length; start += BATCH_NAMES) {
        await target.table.delete(oneOf('id', ids.slice(start, start + BATCH_NAMES))).catch(asStoreError('remove old rows'));
      }
      await this.#copy(view, { column: 'id', values: missing[shard]!, target });
    }
    const count = (all: readonly { readonly length: number }[]): number => all.reduce((sum, { length }) => sum + length, 0);
    return count(missing) + stale.reduce((sum, { size }) => sum + size, 0);
  }

  /** By table: the rows to remove, and the ids of missing rows. */
  async #differences(targets: readonly Target[], view: View): Promise<[stale: Map<string, number>[], missing: string[][]]> {
    const stale: Map<string, number>[] = [];
    for (const target of targets) {
      const rows = new Map<string, number>();
      await this.#look(target.table, ({ ids, writtenAt }) => ids.forEach((id, nth) => rows.set(id, writtenAt[nth]!)));
      stale.push(rows);
    }
    const missing: string[][] = targets.map(() => []);
    for (const { table } of view.parts) {
      await this.#look(table, ({ ids, writtenAt, namespaces }) => {
        for (const [nth, id] of ids.entries()) {
          const shard = shardOf(namespaces[nth]!, targets.length);
          if (stale[shard]!.get(id) === writtenAt[nth]) stale[shard]!.delete(id);
          else missing[shard]!.push(id);
        }
      });
    }
    return [stale, missing];
  }

  async #look(table: Table, see: (rows: { ids: string[]; writtenAt: Float64Array; namespaces: readonly string[] }) => void): Promise<void> {
    const reader = new NameReader();
    try {
      for await (const batch of table.query().select(['id', 'written_at', 'namespace'])) {
        this.#requireTime();
        see({
          ids: asciiColumn(batch, 'id'),
          writtenAt: batch.getChild('written_at')?.toArray() as Float64Array,
          namespaces: reader.column(batch, 'namespace'),
        });
      }
    } catch (error) {
      this.#refuse(error, 'read the store');
    }
  }

  /** Copies the rows of a view in which a column has one of these values. */
  async #copy(view: View, { column, values, target }: Copying): Promise<void> {
    const columns = target.schema.fields.map(({ name }) => name);
    try {
      for (let start = 0; start < values.length; start += BATCH_NAMES) {
        const where = oneOf(column, values.slice(start, start + BATCH_NAMES));
        for (const { table } of view.parts) {
          const batches: RecordBatch[] = [];
          for await (const batch of table.query().where(where).select(columns)) {
            batches.push(batch);
            if (batches.reduce((sum, { numRows }) => sum + numRows, 0) >= BATCH_ROWS) await this.#add(target.table, batches.splice(0));
          }
          await this.#add(target.table, batches);
        }
      }
    } catch (error) {
      this.#refuse(error, 'copy entries');
    }
  }

  async #add(target: Table, batches: readonly RecordBatch[]): Promise<void> {
    this.#requireTime();
    if (batches.some(({ numRows }) => numRows > 0)) await target.add(new arrow.Table([...batches]));
  }

  /** Merges and indexes the copies. */
  async #tidy(target: Table, plan: VectorIndexPlan | undefined): Promise<void> {
    this.#requireTime();
    if (plan?.kind === 'ivf_rq') await dropIndexes(target, [plan.column]);
    await mergeIndexed(target, { whole: true, slowReads: false, isWritten: true });
    if (plan !== undefined) await growVectorIndex(target, plan);
  }

  #requireTime(): void {
    if (this.#closed) throw new Interrupted();
  }

  #refuse(error: unknown, what: string): never {
    if (error instanceof Interrupted) throw error;
    return asStoreError(what)(error);
  }
}
