import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbedderChoice } from '../embeddings/embedder.ts';
import type { Log } from '../memory/log.ts';
import type { MigrateRequest, MigrationReport } from '../memory/operations.ts';
import type { EntryRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { withEntities, type Drafting } from './drafting.ts';

/** Rows embedded and written together: what a killed process has to do again at most. */
const BATCH = 100;
const RETRY_MS = 30_000;
/** A caller waits this long for a migration; clients give up after 30 s. */
const WAIT_MS = 25_000;

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly drafting: Drafting;
  readonly log: Log;
  /** Whether to work without being asked. */
  readonly background: boolean;
}

interface Run {
  readonly stale: number;
  migrated: number;
  readonly finished: Promise<void>;
}

/**
 * Brings the vectors of all entries to the model in service. What is done stays done: each row carries the stamp of its model, so a run
 * that was interrupted goes on where it stopped.
 */
export class Reembedding {
  readonly #parts: Parts;
  #run: Run | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Plain words while it runs. */
  get state(): string | undefined {
    return this.#run === undefined ? undefined : `re-embedding ${this.#run.migrated} of ${this.#run.stale}`;
  }

  /** How many entries have no vector of the model in service. */
  staleCount(): number {
    const { store, choice } = this.#parts;
    return store.directory.size - (store.directory.embedders().get(choice.active.fingerprint) ?? 0);
  }

  #stale(namespace?: string): string[] {
    const { store, choice } = this.#parts;
    if (this.staleCount() === 0) return [];
    return store.directory
      .known()
      .filter((known) => known.embedder !== choice.active.fingerprint && (namespace === undefined || known.namespace === namespace))
      .map(({ id }) => id);
  }

  /** Migrates, or with `dryRun` says what that would do. Answers `running` when it takes longer than a client waits. */
  async migrate({ dryRun = false, namespace }: MigrateRequest): Promise<MigrationReport> {
    const stale = this.#stale(namespace);
    const report = (status: MigrationReport['status'], migrated: number): MigrationReport => ({
      dryRun,
      status,
      target: this.#parts.choice.active.fingerprint,
      total: namespace === undefined ? this.#parts.store.directory.size : this.#parts.store.directory.count({ namespaces: [namespace] }),
      stale: stale.length,
      migrated,
      from,
    });
    const from = this.#byModel(stale);
    if (stale.length === 0) return report('nothing to do', 0);
    if (dryRun) return report('planned', 0);
    const run = this.#start(stale);
    const outcome = await Promise.race([run.finished.then(() => 'done' as const), sleep(WAIT_MS, 'late' as const, { ref: false })]);
    return report(outcome === 'done' ? 'done' : 'running', run.migrated);
  }

  /**
   * Fills in behind the requests what the configured model should have embedded: entries saved while no model answered, and those that the
   * builtin embedder stood in for.
   */
  fillIn(): void {
    if (this.#closed || this.#run !== undefined || !this.#parts.background) return;
    const { store, choice } = this.#parts;
    // Only for the local model does another one stand in; a hosted one costs money and is asked by `migrate` alone.
    const stoodIn = choice.active.provider === 'local' ? choice.builtin.fingerprint : '';
    const waiting = this.#stale().filter((id) => ['', stoodIn].includes(store.directory.get(id)?.embedder ?? '-'));
    if (waiting.length === 0) return;
    this.#start(waiting).finished.catch((error: unknown) => {
      this.#parts.log.warn({ error: String(error) }, 're-embedding stopped; it goes on later');
      this.fillInLater();
    });
  }

  /** Stops after the batch in hand. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#run?.finished.catch(() => undefined);
  }

  /** Tries again in a while: the model that failed may answer then. */
  fillInLater(): void {
    if (this.#closed || !this.#parts.background) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.fillIn(), RETRY_MS).unref();
  }

  #byModel(ids: readonly string[]): { embedder: string; entries: number }[] {
    const counts = new Map<string, number>();
    for (const id of ids) {
      const embedder = this.#parts.store.directory.get(id)?.embedder || 'none';
      counts.set(embedder, (counts.get(embedder) ?? 0) + 1);
    }
    return [...counts].map(([embedder, entries]) => ({ embedder, entries }));
  }

  /** One run at a time; a caller who comes while one is under way waits for it. */
  #start(ids: readonly string[]): Run {
    if (this.#run !== undefined) return this.#run;
    const run: Run = { stale: ids.length, migrated: 0, finished: Promise.resolve() };
    const finished = this.#embedAll(new Set(ids), run).finally(() => {
      this.#run = undefined;
    });
    this.#run = Object.assign(run, { finished });
    return this.#run;
  }

  async #embedAll(ids: ReadonlySet<string>, run: Run): Promise<void> {
    const started = performance.now();
    for await (const rows of this.#parts.store.entries.scan((id) => ids.has(id))) {
      for (let start = 0; start < rows.length; start += BATCH) {
        if (this.#closed) return;
        await this.#embed(rows.slice(start, start + BATCH));
        run.migrated += Math.min(BATCH, rows.length - start);
      }
    }
    this.#parts.log.info({ entries: run.migrated, ms: Math.round(performance.now() - started) }, 're-embedded');
  }

  async #embed(rows: readonly EntryRow[]): Promise<void> {
    const vectors = await this.#parts.drafting.vectors(rows.map(({ entry }) => entry));
    await Promise.all(
      rows.map(async ({ entry }, index) => {
        const made = vectors[index];
        // An entry that was edited meanwhile has been embedded anew by the edit.
        const change = (row: EntryRow): EntryRow =>
          row.entry.contentHash === entry.contentHash ? { ...row, entry: withEntities(row.entry), vectors: made } : row;
        await this.#parts.store.entries.update(entry.id, change).catch((error: unknown) => {
          if (this.#parts.store.directory.get(entry.id) !== undefined) throw error;
        });
      }),
    );
  }
}
