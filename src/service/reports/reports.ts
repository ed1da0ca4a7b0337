import type { EmbedderChoice } from '../../embeddings/embedder.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import { DEGRADED } from '../../memory/degraded.ts';
import { statusOf } from '../../memory/health-status.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import { DEFAULT_PROBES, type DiagnoseRequest, type Diagnosis } from '../../memory/operations/diagnosis.ts';
import type { Health, Stats } from '../../memory/operations/operations.ts';
import type { StatsRequest } from '../../memory/operations/statistics-operations.ts';
import { dayName } from '../../memory/time-zone.ts';
import type { GaugeValues } from '../../memory/telemetry.ts';
import { isNearlyFull } from '../../store/files/disk-space.ts';
import type { Store } from '../../store/store.ts';
import type { AutoRelations } from '../relations/auto-relations.ts';
import type { StoreBackups } from '../backups/backups.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { ServiceSettings } from '../service-settings.ts';
import type { Reembedding } from '../embedding/reembedding.ts';
import type { Recall } from '../recall/recall.ts';
import type { Scrub } from '../scrub.ts';
import { compareSearches } from './search-comparison.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';
import { DAY_MS } from '../../memory/durations.ts';

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly settings: Pick<ServiceSettings, 'namespace' | 'version' | 'alarms' | 'defaultMode'> & {
    readonly capture: { readonly enabled: boolean };
  };
  readonly recall: Pick<Recall, 'find'>;
  readonly reembedding: Reembedding;
  readonly lifecycle: Pick<Lifecycle, 'state' | 'work' | 'lastCompaction'>;
  readonly autoRelations: Pick<AutoRelations, 'waiting'>;
  readonly backups: StoreBackups;
  readonly scrub: Pick<Scrub, 'degraded' | 'degradedFiles'>;
  readonly scheduler: Pick<Scheduler, 'reports'>;
}

const TOP_TAGS = 50;
const DAYS = 30;
/** Failed background work is reported only if it keeps failing. */
const ALARM_FAILURES = 3;

/** Health and diagnosis of the store and the embedder. */
export class Reports {
  readonly #parts: Parts;
  readonly #started = performance.now();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `only`: count entries of this namespace only, and reveal no other counts. */
  async health(only?: string): Promise<Health> {
    const { store, choice, settings, reembedding, autoRelations, lifecycle, backups } = this.#parts;
    const { catalog } = store;
    const counts = only === undefined;
    await backups.look();
    const degraded = await this.degraded({ counts });
    return {
      status: statusOf(degraded),
      version: settings.version,
      uptimeMs: Math.round(performance.now() - this.#started),
      maintenance: (counts ? (reembedding.state ?? lifecycle.state) : (reembedding.work ?? lifecycle.work)) ?? store.maintenance,
      ...withoutUndefined({ migration: reembedding.progress }),
      ...(autoRelations.waiting > 0 && { relating: autoRelations.waiting }),
      degraded,
      rss: process.memoryUsage.rss(),
      ...(only === undefined ? countsOfAll(catalog, settings.namespace) : countsOf(catalog, only)),
      storage: {
        type: 'lancedb',
        path: store.path,
        bytes: await store.figures.size(),
        ...withoutUndefined({ servers: store.figures.servers }),
      },
      embedder: choice.report(),
      autoCapture: settings.capture.enabled,
      ...withoutUndefined({ lastBackup: backups.last, lastCompaction: lifecycle.lastCompaction }),
    };
  }

  /** Reads every row of the tables once, and searches twice for each probe. */
  async diagnose({ probes = DEFAULT_PROBES }: DiagnoseRequest, signal?: AbortSignal): Promise<Diagnosis> {
    const { store, recall, choice, settings } = this.#parts;
    const indexes = await store.diagnose({ probes });
    const parts = { store, recall, embedder: choice.active, defaultMode: settings.defaultMode };
    return { ...indexes, search: await compareSearches(parts, probes, signal) };
  }

  async stats({ namespace }: StatsRequest = {}): Promise<Stats> {
    const { store, choice } = this.#parts;
    const census = store.figures.census(namespace);
    const entries = store.catalog.entries(namespace);
    return {
      total: entries.length,
      namespaces: store.catalog.namespaces(namespace),
      byPriority: Object.fromEntries(census.priorities),
      bySource: Object.fromEntries(census.sources),
      tags: census.tags.size,
      topTags: [...census.tags]
        .toSorted(([a, left], [b, right]) => right - left || a.localeCompare(b))
        .slice(0, TOP_TAGS)
        .map(([tag, entries]) => ({ tag, entries })),
      perDay: perDay(entries),
      vectors: [...census.embedders].map(([embedder, count]) => ({ embedder: embedder || 'none', entries: count })),
      pendingVectors: census.embedders.get('') ?? 0,
      embedder: choice.report(),
      autoCapture: this.#parts.settings.capture.enabled,
      ...(namespace === undefined && (await this.#ofStore())),
    };
  }

  /** Facts that exist only for all namespaces together. */
  async #ofStore(): Promise<Pick<Stats, 'storage' | 'runs' | 'jobs' | 'lastCompaction'>> {
    const { store, lifecycle, scheduler } = this.#parts;
    const storage = await store.figures.table();
    const { lastCompaction } = lifecycle;
    return { storage, runs: store.maintenanceRuns.all(), jobs: scheduler.reports(), ...withoutUndefined({ lastCompaction }) };
  }

  async gauges(): Promise<GaugeValues> {
    const { last, overdueMs } = this.#parts.backups;
    const { length: degraded } = await this.degraded();
    return {
      degraded,
      ...(last !== undefined && { 'seconds since backup': Math.max(0, Date.now() - last.createdAt) / 1000 }),
      ...(overdueMs !== undefined && { 'seconds backup is overdue': overdueMs / 1000 }),
    };
  }

  /** Current problems as sentences; without `counts`, without numbers that reveal other namespaces. */
  async degraded(what: { readonly counts: boolean } = { counts: true }): Promise<string[]> {
    const { store, choice, backups, reembedding, settings } = this.#parts;
    const disk = await store.figures.disk();
    const failing = store.maintenanceFailures >= ALARM_FAILURES;
    return [
      store.backend.fault,
      ...(await this.#damages(what)),
      choice.degraded(),
      reembedding.fault,
      this.#staleVectors(what),
      store.isDiskFull ? DEGRADED.diskFull() : disk !== undefined && isNearlyFull(disk) ? DEGRADED.disk(disk.free) : undefined,
      failing ? DEGRADED.optimizing() : undefined,
      backups.degraded(),
      this.#parts.scrub.degraded(what),
      this.#parts.scrub.degradedFiles(what),
      ...this.#failingJobs(),
      ...(settings.alarms?.(what) ?? []),
    ].filter((reason) => reason !== undefined);
  }

  /** Problems that have no message of their own. */
  #failingJobs(): string[] {
    return this.#parts.scheduler
      .reports()
      .filter(({ name, failedInARow }) => failedInARow >= ALARM_FAILURES && name !== 'backup' && name !== 'embedding')
      .map(({ name }) => DEGRADED.job(name));
  }

  /** Damage found when the store was opened, now or earlier. */
  async #damages({ counts }: { readonly counts: boolean }): Promise<string[]> {
    const { damages } = this.#parts.store;
    if (!counts) return [...new Set(damages.map(({ mayLose }) => DEGRADED.damagedSomewhere(mayLose)))];
    const backups = damages.some(({ mayLose }) => mayLose) ? await this.#parts.backups.list().catch(() => []) : [];
    return damages.map(({ message, mayLose, at, recordedIn }) => {
      if (!mayLose) return message;
      // A later backup lacks what was lost.
      const backup = backups.find(({ createdAt }) => createdAt < at)?.name;
      return DEGRADED.damaged(message, { backup, recordedIn });
    });
  }

  #staleVectors({ counts }: { readonly counts: boolean }): string | undefined {
    const { store, choice, reembedding } = this.#parts;
    const count = reembedding.state === undefined ? reembedding.staleCount() : 0;
    if (count === 0) return undefined;
    const { active, target } = choice;
    if (active !== target)
      return store.abilities.shared ? DEGRADED.other(active.model, target.model) : DEGRADED.former(active.model, target.model);
    const told = counts ? count : undefined;
    return choice.degraded() === undefined ? DEGRADED.pending(told, active.model) : DEGRADED.waiting(told);
  }
}

type Counts = Pick<Health, 'namespace' | 'entriesInNamespace' | 'globalEntries' | 'totalEntries' | 'averageImportance'>;

const shown = (importance: number): number => Math.round(importance * 1e4) / 1e4;

function countsOfAll(catalog: Store['catalog'], namespace: string): Counts {
  return {
    namespace,
    entriesInNamespace: catalog.count({ namespaces: [namespace] }),
    globalEntries: catalog.count({ namespaces: [GLOBAL_NAMESPACE] }),
    totalEntries: catalog.size,
    averageImportance: shown(catalog.averageImportance),
  };
}

function countsOf(catalog: Store['catalog'], namespace: string): Counts {
  const entries = catalog.entries(namespace);
  const importance = entries.reduce((sum, entry) => sum + entry.importance, 0);
  return {
    namespace,
    entriesInNamespace: entries.length,
    globalEntries: 0,
    totalEntries: entries.length,
    averageImportance: entries.length === 0 ? 0 : shown(importance / entries.length),
  };
}

function perDay(known: readonly { readonly createdAt: number }[]): { day: string; entries: number }[] {
  const today = Math.floor(Date.now() / DAY_MS);
  const counts = Array.from({ length: DAYS }, () => 0);
  for (const { createdAt } of known) {
    const nth = DAYS - 1 - (today - Math.floor(createdAt / DAY_MS));
    if (nth >= 0 && nth < DAYS) counts[nth]! += 1;
  }
  return counts.map((entries, nth) => ({ day: dayName((today - DAYS + 1 + nth) * DAY_MS), entries }));
}
