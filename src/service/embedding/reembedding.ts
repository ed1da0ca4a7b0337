import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder, EmbedderChoice } from '../../embeddings/embedder.ts';
import { isSameModel } from '../../embeddings/document-versions.ts';
import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { MigrateRequest, MigrationProgress, MigrationReport } from '../../memory/operations/operations.ts';
import type { MaintenanceRun } from '../../memory/maintenance-runs.ts';
import { embeddedKey } from '../../store/format/content-hash.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { EntryChange } from '../../store/write/entry-changes.ts';
import { withEntities, type Drafting } from '../changes/drafting.ts';
import { ChangedTags } from './changed-tags.ts';
import { ModelSwitch, VectorsRefused, type Progress } from './model-switch.ts';

/** Rows embedded and written together: a killed process loses at most this work. */
const BATCH = 100;
const RETRY_MS = 30_000;
/** Interval for checking whether another server of a shared store was asked for a change of the model. */
const POLL_MS = 5_000;
/** A caller waits this long for a migration; clients give up after 30 s. */
const WAIT_MS = 25_000;

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly drafting: Drafting;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
}

interface Run extends Progress {
  readonly stale: number;
  /** Fingerprint of the model that embeds them. */
  readonly target: string;
  /** From here on it is finished after a restart, on a shared store by any server. */
  readonly begun: Promise<void>;
  readonly finished: Promise<void>;
}

const WORK = {
  starting: 'starting to re-embed',
  waiting: 'waiting for the server that maintains the store to change the model',
  embedding: 're-embedding',
  checking: 'checking the new vectors',
  switching: 'switching to the new vectors',
} as const satisfies Record<Progress['phase'], string>;

interface Embedding {
  readonly run: Run;
  readonly way: Way;
  readonly onBegun: () => void;
}

/** Either all entries switch to the target at once, or each is embedded again with this embedder. */
type Way = { readonly switches: true } | { readonly embedder: Embedder };

/**
 * Re-embeds all entries with the configured model. If another one is still active, its vectors are replaced all at once (see
 * `ModelSwitch`); missing ones are computed entry by entry. Completed work is kept.
 */
export class Reembedding {
  readonly #parts: Parts;
  readonly #switch: ModelSwitch;
  #run: Run | undefined;
  #fault: string | undefined;
  /** Fingerprint of a model whose vectors failed the test; it is only retried on request. */
  #refused: string | undefined;
  readonly #job: Job;
  readonly #changes: ChangedTags;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#switch = new ModelSwitch(parts);
    const embed = (rows: readonly EntryRow[]): Promise<void> => this.#embed(rows, parts.choice.active);
    this.#changes = new ChangedTags({ store: parts.store, log: parts.log, embed, onFailure: () => this.fillInLater() });
    if (parts.store.abilities.shared) parts.store.tell((changes) => this.#noteStragglers(changes));
    this.#job = parts.scheduler.add({
      name: 'embedding',
      run: () => this.#fillIn(),
      retryAfter: () => RETRY_MS,
      failure: 're-embedding stopped; it continues later',
      progress: () => this.progress,
      close: async (stop) => {
        await Promise.all([stop(), this.#run?.finished.catch(() => undefined)]);
        await this.#changes.finish();
      },
    });
  }

  /** Description while it runs. */
  get state(): string | undefined {
    const { work } = this;
    return this.#run?.phase === 'embedding' ? `${work} ${this.#run.migrated} of ${this.#run.stale}` : work;
  }

  /** The description without the number of entries. */
  get work(): string | undefined {
    return this.#run && WORK[this.#run.phase];
  }

  /** Progress while it runs. */
  get progress(): MigrationProgress | undefined {
    if (this.#run === undefined) return undefined;
    const { migrated, stale, target } = this.#run;
    // Entries saved during a switch are embedded with the rest.
    return { done: Math.min(migrated, stale), total: stale, target };
  }

  /** Why the last run failed, as a sentence. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Number of entries without a vector of the configured model. */
  staleCount(): number {
    const { store, choice } = this.#parts;
    return store.catalog.size - (store.catalog.embedders().get(choice.target.fingerprint) ?? 0);
  }

  #stale(namespace?: string): string[] {
    const { store, choice } = this.#parts;
    if (this.staleCount() === 0) return [];
    return store.catalog
      .entries()
      .filter((known) => known.embedder !== choice.target.fingerprint && (namespace === undefined || known.namespace === namespace))
      .map(({ id }) => id);
  }

  /**
   * Migrates, or with `dryRun` reports what would change. Returns `running` if it takes longer than a client waits, or if `wait` is
   * false; a change of the model then survives a kill of this process.
   */
  async migrate({ dryRun = false, wait = true, namespace }: MigrateRequest): Promise<MigrationReport> {
    const stale = this.#stale(namespace);
    const report = (status: MigrationReport['status'], migrated: number): MigrationReport => ({
      dryRun,
      status,
      target: this.#parts.choice.target.fingerprint,
      total: namespace === undefined ? this.#parts.store.catalog.size : this.#parts.store.catalog.count({ namespaces: [namespace] }),
      stale: stale.length,
      migrated,
      from,
    });
    const from = this.#byModel(stale);
    if (stale.length === 0) return report('nothing to do', 0);
    if (dryRun) return report('planned', 0);
    const { active, target } = this.#parts.choice;
    const isOther = active !== target;
    if (isOther && namespace !== undefined && this.#parts.store.abilities.shared) throw wholeStore();
    const switches = isOther && namespace === undefined && this.#parts.store.abilities.vectorSwitch;
    const run = this.#start(stale, switches ? { switches } : { embedder: target });
    if (!wait) {
      // Health reports it through `fault`.
      run.finished.catch(() => undefined);
      await Promise.race([run.begun, run.finished, late()]);
      return report('running', run.migrated);
    }
    const outcome = await Promise.race([run.finished.then(() => 'done' as const), late()]);
    return report(outcome === 'done' ? 'done' : 'running', run.migrated);
  }

  /**
   * Computes missing vectors in the background: of entries saved while no model answered, or embedded by the builtin embedder instead.
   */
  fillIn(): void {
    this.#job.wake();
  }

  async #fillIn(): Promise<number | undefined> {
    const { store, choice } = this.#parts;
    const next = store.abilities.shared && choice.active !== choice.target ? POLL_MS : undefined;
    if (choice.target.fingerprint === this.#refused && !store.abilities.shared) return undefined;
    // One of the servers that share a store is enough, and the role may move to another one.
    if (!store.maintains) return next ?? RETRY_MS;
    const { active, target } = choice;
    // A requested migration continues after a restart; on a shared store, on the server that maintains it.
    const isBegun = active !== target && (await store.spaces.begun()) === target.fingerprint;
    const decidesAlone = store.abilities.vectorSwitch && !store.abilities.shared;
    const switches = isBegun || (decidesAlone && active !== target && this.#isStandIn(active.fingerprint));
    if (!switches && active.isMissing === true) return next;
    const waiting = this.#waiting({ isBegun, switches });
    const isEarlier = this.#isOwn && isSameModel(active.fingerprint, target.fingerprint);
    if (waiting.length > 0 && !this.#job.isEnding)
      await this.#start(waiting, switches ? { switches } : { embedder: isEarlier ? target : active }).finished;
    return next;
  }

  /** Whether the configured model is on this machine. A hosted one costs money, so only `migrate` uses it. */
  get #isOwn(): boolean {
    const { provider } = this.#parts.choice.target;
    return provider === 'builtin' || provider === 'local';
  }

  /**
   * Whether the configured model replaces this one automatically: an earlier version of it, or the builtin one that stands in for a local
   * one.
   */
  #isStandIn(fingerprint: string): boolean {
    const { target, builtin } = this.#parts.choice;
    return (
      fingerprint !== target.fingerprint &&
      ((this.#isOwn && isSameModel(fingerprint, target.fingerprint)) ||
        (target.provider === 'local' && isSameModel(fingerprint, builtin.fingerprint)))
    );
  }

  /** The entries that are embedded automatically. */
  #waiting({ isBegun, switches }: { readonly isBegun: boolean; readonly switches: boolean }): string[] {
    const { store, choice } = this.#parts;
    const { active, target } = choice;
    const isWanted = (embedder: string): boolean =>
      (isBegun && embedder !== target.fingerprint) ||
      embedder === '' ||
      this.#isStraggler(embedder) ||
      (this.#isStandIn(embedder) && (switches || active === target || isSameModel(embedder, target.fingerprint)));
    if (![...store.catalog.embedders().keys()].some(isWanted)) return [];
    return store.catalog.entries().flatMap(({ id, embedder }) => (isWanted(embedder) ? [id] : []));
  }

  /** Whether an entry of a shared store has vectors of another model than the store: a server saved it that had not yet seen the change. */
  #isStraggler(embedder: string): boolean {
    const { store, choice } = this.#parts;
    const named = store.spaces.named?.fingerprint;
    return named !== undefined && named === choice.active.fingerprint && embedder !== named;
  }

  #noteStragglers(changes: readonly EntryChange[]): void {
    const { catalog } = this.#parts.store;
    const embedders = changes.flatMap(({ id }) => catalog.get(id)?.embedder ?? []);
    if (embedders.includes('')) this.#job.wake(RETRY_MS);
    if (embedders.some((embedder) => embedder !== '' && this.#isStraggler(embedder))) this.#job.wake(POLL_MS);
  }

  /** Retries later, when the model may answer again. */
  fillInLater(): void {
    this.#job.wake(RETRY_MS);
  }

  #byModel(ids: readonly string[]): { embedder: string; entries: number }[] {
    const counts = new Map<string, number>();
    for (const id of ids) {
      const embedder = this.#parts.store.catalog.get(id)?.embedder || 'none';
      counts.set(embedder, (counts.get(embedder) ?? 0) + 1);
    }
    return [...counts].map(([embedder, entries]) => ({ embedder, entries }));
  }

  /** One run at a time; concurrent callers wait for it. */
  #start(ids: readonly string[], way: Way): Run {
    if (this.#run !== undefined) return this.#run;
    this.#fault = undefined;
    const { store, choice } = this.#parts;
    const target = ('switches' in way ? choice.target : way.embedder).fingerprint;
    let onBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const run: Run = { stale: ids.length, target, migrated: 0, phase: 'starting', begun, finished: Promise.resolve() };
    // Entries that had no vector migrate from no model.
    const note = ids.some((id) => (store.catalog.get(id)?.embedder ?? '') !== '') ? this.#noting(run) : undefined;
    const finished = this.#embedAll(new Set(ids), { run, way, onBegun })
      .then(() => note?.({ state: 'done' }))
      .catch((error: unknown) => {
        if (error instanceof VectorsRefused) this.#refused = target;
        this.#fault = error instanceof LoreError ? error.message : 'The entries could not be re-embedded; the server log says why.';
        note?.({ state: 'failed', error: this.#fault });
        throw error;
      })
      .finally(() => {
        this.#run = undefined;
      });
    this.#run = Object.assign(run, { finished });
    return this.#run;
  }

  /** Returns a function that records how a run that begins now ended. Interrupted runs are not recorded. */
  #noting(run: Progress): (outcome: Pick<MaintenanceRun, 'state' | 'error'>) => void {
    const [at, started] = [Date.now(), performance.now()];
    return (outcome) => {
      const [ms, result] = [Math.round(performance.now() - started), { entries: run.migrated }];
      if (!this.#job.isEnding) this.#parts.store.maintenanceRuns.note({ kind: 'migration', at, ms, ...outcome, result });
    };
  }

  async #embedAll(ids: ReadonlySet<string>, { run, way, onBegun }: Embedding): Promise<void> {
    const { store, choice, log } = this.#parts;
    const started = performance.now();
    if ('switches' in way) {
      // For a switch, also the entries saved during it.
      const former = new Set([...ids].map((id) => store.catalog.get(id)?.embedder));
      const isWanted = ({ id, embedder }: CatalogEntry): boolean => ids.has(id) || former.has(embedder);
      if (!(await this.#switch.run({ progress: run, isWanted, isOver: () => this.#job.isEnding, onBegun }))) return;
      // On a shared store, the server that made the change.
      if (!store.maintains) return;
      run.phase = 'embedding';
      const left = this.#stale().filter((id) => former.has(store.catalog.get(id)?.embedder));
      await this.#embedEach(new Set(left), choice.target);
    } else {
      run.phase = 'embedding';
      onBegun();
      await this.#embedEach(ids, way.embedder, run);
      if (choice.active !== choice.target && this.staleCount() === 0) choice.promote();
    }
    log.info({ entries: run.migrated, ms: Math.round(performance.now() - started) }, 're-embedded');
  }

  /** Re-embeds entry by entry; each new vector is used at once. */
  async #embedEach(ids: ReadonlySet<string>, embedder: Embedder, progress?: Progress): Promise<void> {
    if (ids.size === 0) return;
    for await (const rows of this.#parts.store.entries.scan((id) => ids.has(id))) {
      for (let start = 0; start < rows.length; start += BATCH) {
        if (this.#job.isEnding) return;
        await this.#embed(rows.slice(start, start + BATCH), embedder);
        if (progress !== undefined) progress.migrated += Math.min(BATCH, rows.length - start);
      }
    }
  }

  async #embed(rows: readonly EntryRow[], embedder: Embedder): Promise<void> {
    const entries = rows.map(({ entry }) => entry);
    const vectors = await this.#parts.drafting.vectors(entries, undefined, embedder);
    await Promise.all(
      rows.map(async ({ entry }, index) => {
        const made = vectors[index];
        // A change in the meantime has already embedded the entry again.
        const change = (row: EntryRow): EntryRow =>
          embeddedKey(row.entry) === embeddedKey(entry) ? { ...row, entry: withEntities(row.entry), vectors: made } : row;
        await this.#parts.store.entries.update(entry.id, change).catch((error: unknown) => {
          if (this.#parts.store.catalog.get(entry.id) !== undefined) throw error;
        });
      }),
    );
  }
}

function late(): Promise<'late'> {
  return sleep(WAIT_MS, 'late', { ref: false });
}

function wholeStore(): LoreError {
  return new LoreError('conflict', 'In a store that several servers share, the model changes for all entries at once.', {
    hint: 'Leave out the namespace.',
  });
}
