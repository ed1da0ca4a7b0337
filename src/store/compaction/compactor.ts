import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { BusyError, LoreError } from '../../memory/errors.ts';
import { runInScope } from '../../memory/request-scope.ts';
import { CompactionOutcomes } from './compaction-outcomes.ts';
import { FlushPolicy } from './flush-policy.ts';
import type { CompactorParts } from './compactor-parts.ts';
import { Flusher, type NextSpace } from './flusher.ts';
import { rewriteOwn, rewriteShared } from './rewriting.ts';
import { indexesOf, vectorIndexesOf, type VectorIndexPlan } from '../tables/indexes.ts';
import { Backpressure } from './backpressure.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import type { VectorSpace } from '../format/vector-space.ts';
import type { SegmentEnd, WrittenVersions } from '../wal/wal.ts';
import { TableCompaction } from './table-compaction.ts';
import { CleanupTimer } from './cleanup-timer.ts';

const QUIET_MS = 500;
const ROOM_POLL_MS = 5;
/** Removing files costs another merge, so under load it happens once for several runs. */
const PRUNE_AFTER_RUNS = 4;
/** LanceDB leaks file descriptors with every optimize until the connection is closed. */
const REOPEN_AFTER_RUNS = 50;
/** Completion for callers that wait. */
const RETRY_SECONDS = 10;
/** How long a stopping server waits for its work on shared tables. */
const SHARED_END_MS = 3_000;

/**
 * Flushes the memtable and compacts the tables in the background: one run flushes, merges, indexes, moves readers to the new versions,
 * syncs, and drops the flushed part of the log. Runs depend on the amount written, and never delay a request. One of the processes that
 * share a store does this; the others move their readers to its versions.
 */
export class Compactor {
  readonly #parts: CompactorParts;
  readonly #flushPolicy: FlushPolicy;
  readonly #backpressure: Backpressure;
  #unfinished = false;
  /** Number of rewrites of all rows. */
  #rewrites = 0;
  readonly #flusher: Flusher;
  readonly #tableCompaction: TableCompaction;
  #runs = 0;
  /** Runs since the last removal of files. */
  #unpruned = 0;
  /** No reads follow, so replaced files are removed at once. */
  #isLeaving = false;
  /** Only merge, and remove what earlier runs left. */
  #isTidying = false;
  readonly #outcomes: CompactionOutcomes;
  #doing: string | undefined;
  #running: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  readonly #tidy: CleanupTimer;
  #closed = false;

  constructor(parts: CompactorParts) {
    this.#parts = parts;
    this.#flushPolicy = new FlushPolicy(parts);
    this.#backpressure = new Backpressure({ wal: parts.wal, isFull: () => this.#flushPolicy.isFull, write: () => this.#start() });
    this.#outcomes = new CompactionOutcomes(parts.tables);
    this.#flusher = new Flusher(parts);
    this.#tableCompaction = new TableCompaction({ database: parts.database, flusher: this.#flusher });
    this.#tidy = new CleanupTimer({
      memtables: parts.memtables,
      mayWait: () => this.#mayLeaveRows,
      tidy: () => this.#maintainNow(),
    });
  }

  /** `idle`, or the running or next work. */
  get state(): string {
    if (this.#doing !== undefined) return this.#doing;
    return this.#isDue ? 'optimizing' : 'idle';
  }

  /** Number of consecutive failed runs. */
  get failures(): number {
    return this.#outcomes.failures;
  }

  /** Whether writers are refused because too many rows wait for a table that cannot be written. */
  get isStuck(): boolean {
    return this.#flushPolicy.isFull && this.failures > 0;
  }

  /** The vector index that a search of this version of a table may use. */
  vectorIndexOf({ name }: Snapshot): VectorIndexPlan | undefined {
    const index = this.#flusher.indexes.get(name);
    return index?.column === this.plan?.column ? index : undefined;
  }

  /** When this process last built one, epoch milliseconds. */
  get indexBuiltAt(): number | undefined {
    return this.#tableCompaction.indexBuiltAt;
  }

  /** The plan of the vector index. */
  get plan(): VectorIndexPlan | undefined {
    return this.#flusher.plan;
  }

  /** The space of the vectors as the log of a shared store names it; undefined before the first change of the model. */
  get space(): VectorSpace | undefined {
    return this.#flusher.space;
  }

  /** Changes when rows change in other ways than by a newer version of an entry. */
  get rewrites(): number {
    return this.#rewrites;
  }

  /** Sets the plan of the vector index, and examines the opened tables. */
  async begin(plan: VectorIndexPlan): Promise<void> {
    const { database, wal, tables } = this.#parts;
    const { parts } = database.view;
    const indexes = await vectorIndexesOf(parts, plan);
    this.#unfinished = wal.hasDamage || parts.some(({ name, size }) => !indexes.has(name) && size >= plan.fromRows);
    for (const { table } of parts) {
      if (tables.abilities.compaction && (await indexesOf(table)).some(({ unindexedRows }) => unindexedRows > 0)) this.#unfinished = true;
    }
    this.#flusher.begin(indexes, plan);
    this.noteChange();
  }

  /** Call after every commit. */
  noteChange(): void {
    if (this.#closed || this.#running !== undefined || !this.#isDue) return;
    // A failed run is retried at its own time: steady changes would postpone it until writers have to wait.
    if (this.failures > 0 && this.#quiet !== undefined) return;
    clearTimeout(this.#quiet);
    const isUrgent = this.#flusher.isBehind || this.#flushPolicy.isUrgent;
    const wait = this.failures > 0 ? this.#outcomes.waitMs : isUrgent ? 0 : QUIET_MS;
    const start = (): void => {
      this.#quiet = undefined;
      void this.#start();
    };
    this.#quiet = setTimeout(start, wait).unref();
  }

  /** Resolves at once, or if too many rows are waiting, when some are flushed. */
  async whenRoom(): Promise<void> {
    for (;;) {
      while (this.#flushPolicy.isFull && this.#running !== undefined) await sleep(ROOM_POLL_MS);
      if (!this.#flushPolicy.isFull || !this.#parts.tables.abilities.shared || this.isStuck || this.#closed) break;
      await this.#backpressure.come();
    }
    if (this.isStuck) {
      throw new BusyError('The store cannot write its table at the moment; the log says why.', RETRY_SECONDS);
    }
  }

  /** Runs until nothing is waiting. Rejects on failure. */
  async runNow(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    await this.#requireDuty();
    this.#tableCompaction.lookAgain();
    const { failures } = this;
    await this.#start();
    if (this.failures > failures) throw new LoreError('unavailable', 'Maintenance of the store failed; the log says why.');
  }

  /**
   * For a command that is about to exit. Runs if enough rows are waiting that the next process would have to, and removes replaced
   * versions. Failures are only logged, because the log has all changes.
   */
  async leaveTidy(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.#flushPolicy.isUrgent && (await this.takeOver())) await this.#start();
    const { tables } = this.#parts;
    if (this.#unpruned === 0 || this.failures > 0 || !tables.abilities.ownFiles) return;
    this.#isLeaving = true;
    await this.#start();
    this.#isLeaving = false;
  }

  /** Runs `work` on the tables between two runs. */
  async between<T>(work: () => Promise<T>): Promise<T> {
    // Several callers may wait for the same end: the first one must start before the next one checks.
    while (this.#running !== undefined) await this.#running;
    const running = work();
    const settled = (): void => undefined;
    this.#running = running.then(settled, settled);
    try {
      return await running;
    } finally {
      this.#running = undefined;
      this.noteChange();
    }
  }

  /**
   * Rewrites rows without affecting reads, then moves reads to the result in one step, with the vector indexes of this plan. Calls
   * `adopted` at that moment. On a shared store the result is published with the space, and the other servers follow.
   */
  async rewrite(next: NextSpace, write: () => Promise<void>): Promise<void> {
    await this.between(async () => {
      this.#rewrites += 1;
      const { database, wal } = this.#parts;
      const parts = { database, wal, flusher: this.#flusher, tableCompaction: this.#tableCompaction };
      await (database.abilities.shared ? rewriteShared(parts, next, write) : rewriteOwn(parts, next, write));
      this.#unpruned += 1;
      this.#tidyLater();
    });
  }

  /** Moves reads and writes to these tables with the same contents. Call it only in `between`. */
  async exchange(tables: readonly Table[]): Promise<void> {
    const { database } = this.#parts;
    const next = await database.openTables(tables);
    const parts = next.map(({ snapshot }) => snapshot);
    const indexes = await vectorIndexesOf(parts, this.plan);
    database.exchange(next);
    this.#flusher.begin(indexes);
    this.#tableCompaction.lookAgain();
    await database.secure();
  }

  /**
   * For searches that fail although the rows exist: replaces all indexes with empty ones and fills them in the background. Rejects with
   * `unavailable` if the store closes.
   */
  async renewIndexes(): Promise<void> {
    await this.between(async () => {
      if (this.#closed) throw new LoreError('unavailable', 'The store is closing.');
      if (!this.#outcomes.mayRenew) throw new LoreError('unavailable', 'An index of the store could not be searched.');
      this.#parts.onRenewed(await this.#renew());
      this.#unfinished = true;
    });
  }

  async #renew(): Promise<readonly string[]> {
    const columns = await this.#parts.database.renewIndexes();
    this.#flusher.begin(new Map());
    this.#tableCompaction.lookAgain();
    return columns;
  }

  /** Waits for running work, and starts nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#quiet);
    this.#tidy.stop();
    // Unfinished work on shared tables is rolled back by the next maintaining server.
    if (this.#parts.tables.abilities.shared) await Promise.race([this.#whenIdle(), sleep(SHARED_END_MS, undefined, { ref: false })]);
    else await this.#whenIdle();
  }

  /** Whether too few rows are waiting for a run of their own. For shared tables, every run publishes all waiting rows. */
  get #mayLeaveRows(): boolean {
    const { tables } = this.#parts;
    return tables.abilities.ownFiles && !this.#isDue;
  }

  async #whenIdle(): Promise<void> {
    // Call only if the work is started in the same turn as the check.
    while (this.#running !== undefined) await this.#running;
  }

  get #isDue(): boolean {
    const { wal } = this.#parts;
    return this.#flusher.isBehind || (wal.maintains && (this.#unfinished || wal.isLong || this.#flushPolicy.isDue));
  }

  /** Freezes the memtable; it is flushed as one batch. Call it in the order of the log. */
  freeze(end: SegmentEnd): void {
    this.#flusher.freeze(end);
  }

  /**
   * Records that another server flushed everything up to this segment. Reads move there in the background. Call it in the order of the
   * log.
   */
  follow(part: number, written: WrittenVersions): void {
    this.#flusher.follow(part, written);
    this.noteChange();
  }

  /** Starts maintaining the tables if no other server does. Returns whether this process maintains them now. */
  takeOver(): Promise<boolean> {
    return this.#parts.wal.takeOver();
  }

  async #requireDuty(): Promise<void> {
    if (await this.takeOver()) return;
    throw new LoreError('conflict', 'Another server maintains this store.', { hint: 'It runs this automatically.' });
  }

  /** Resolves when the run that it starts is over. */
  async #start(): Promise<void> {
    if (this.#running !== undefined || this.#closed) return;
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
    this.#tidy.stop();
    const at = Date.now();
    // The result serves all waiting requests.
    this.#running = runInScope(undefined, () => this.#work())
      .then((isMore) => {
        this.#outcomes.succeeded();
        this.#unfinished = false;
        if (isMore) this.#tidyLater();
      })
      .catch((error: unknown) => {
        if (this.#failedElsewhere(error)) return;
        this.#outcomes.failed(error);
        this.#unfinished = true;
        this.#parts.onFailure(error);
        this.#parts.maintenanceRuns.note({ kind: 'optimize', at, state: 'failed', error: 'The server log says why.', result: {} });
        this.#parts.log.warn({ error: String(error), failures: this.failures }, 'maintenance failed; Lore retries');
      })
      .finally(() => {
        this.#doing = undefined;
        this.#running = undefined;
        this.noteChange();
      });
    await this.#running;
  }

  #tidyLater(): void {
    if (!this.#closed) this.#tidy.start();
  }

  async #maintainNow(): Promise<void> {
    // With many recalls, use counts are written all the time: this waits for the end of such work and keeps its turn.
    while (this.#running !== undefined) await this.#running;
    this.#isTidying = true;
    await this.#start().finally(() => {
      this.#isTidying = false;
    });
  }

  /** A process that no longer maintains the store need not retry. */
  #failedElsewhere(error: unknown): boolean {
    if (this.#parts.wal.maintains || this.#flusher.isBehind) return false;
    this.#parts.log.info({ error: String(error) }, 'maintenance was left to another server');
    return true;
  }

  /** Whether there is more to merge or to remove. */
  async #work(): Promise<boolean> {
    await this.#parts.whenCounted();
    await this.#flusher.catchUp();
    if (!this.#parts.wal.maintains) return false;
    return await this.#outcomes.run(() => this.#parts.telemetry.timed('optimize', () => this.#run()));
  }

  async #run(): Promise<boolean> {
    const started = performance.now();
    const at = Date.now();
    const { database, wal, auxiliary, log, tables } = this.#parts;
    this.#doing = 'optimizing';
    wal.requireHeld();
    await database.settle();
    if (this.#outcomes.wereLost) {
      const columns = await this.#renew();
      log.info({ columns }, 'processes ended while they merged the tables: the indexes are rebuilt');
    } else if (this.#outcomes.isIndexSpoilt) this.#parts.onRenewed(await this.#renew());
    const frozen = this.#isTidying && this.#mayLeaveRows ? this.#flusher.frozen : await this.#flusher.close();
    const outdated = await this.#flusher.write(frozen);
    const memtables = frozen.map(({ memtable }) => memtable);
    const part = frozen.at(-1)?.segment ?? 0;
    const written = memtables.reduce((sum, { rows }) => sum + rows.size, 0);
    const isEmpty = memtables.every((memtable) => memtable.isEmpty);
    const prunes = this.#unpruned >= PRUNE_AFTER_RUNS || isEmpty || this.#isLeaving;
    const onIndexing = (): void => {
      this.#doing = 'indexing vectors';
    };
    const { indexes, ...merge } = await this.#tableCompaction.tend(this.plan, { whole: prunes, onIndexing });
    await this.#flusher.adopt(frozen, { indexes, outdated });
    if (!tables.abilities.shared) {
      wal.requireHeld();
      await database.secure();
    }
    await wal.drop(part);
    if (tables.abilities.shared) await auxiliary.tidy();
    if (merge.isWhole) await this.#tableCompaction.prune({ noReads: this.#isLeaving });
    this.#runs += 1;
    this.#unpruned = merge.isWhole ? 0 : this.#unpruned + 1;
    if (this.#runs % REOPEN_AFTER_RUNS === 0 && tables.abilities.compaction) await database.reopen();
    const ms = Math.round(performance.now() - started);
    log.debug({ rows: written, ms }, 'fresh rows are in the table');
    if (written > 0 || merge.merged > 0) {
      const result = { rows: written, fragmentsMerged: merge.merged, fragmentsMade: merge.made };
      this.#parts.maintenanceRuns.note({ kind: 'optimize', at, ms, state: 'done', result });
    }
    if (!tables.abilities.compaction) return false;
    return merge.changed || !isEmpty || (!tables.abilities.shared && database.hasOlderInUse);
  }
}
