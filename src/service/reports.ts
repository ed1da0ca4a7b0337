import type { EmbedderChoice } from '../embeddings/embedder.ts';
import { GLOBAL_NAMESPACE } from '../memory/entry.ts';
import type { Health, Stats } from '../memory/operations.ts';
import type { StatsRequest } from '../memory/statistics-operations.ts';
import { DAY_MS, dayName } from '../memory/time-zone.ts';
import type { Store } from '../store/store.ts';
import type { AutoRelations } from './auto-relations.ts';
import type { Backups } from './backups.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Reembedding } from './reembedding.ts';

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly settings: { readonly namespace: string; readonly version: string; readonly capture: { readonly enabled: boolean } };
  readonly reembedding: Reembedding;
  readonly lifecycle: Pick<Lifecycle, 'state' | 'lastCompaction'>;
  readonly autoRelations: Pick<AutoRelations, 'waiting'>;
  readonly backups: Backups;
}

const TOP_TAGS = 50;
const DAYS = 30;
/** Failed maintenance is worth a word only when it keeps failing. */
const ALARM_FAILURES = 3;

/** How the store and the embedder are doing. */
export class Reports {
  readonly #parts: Parts;
  readonly #started = performance.now();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async health(): Promise<Health> {
    const { store, choice, settings, reembedding, autoRelations, lifecycle, backups } = this.#parts;
    const { directory } = store;
    return {
      status: 'healthy',
      version: settings.version,
      uptimeMs: Math.round(performance.now() - this.#started),
      maintenance: reembedding.state ?? lifecycle.state ?? store.maintenance,
      ...(reembedding.progress !== undefined && { migration: reembedding.progress }),
      ...(autoRelations.waiting > 0 && { relating: autoRelations.waiting }),
      degraded: this.#degraded(),
      rss: process.memoryUsage.rss(),
      namespace: settings.namespace,
      entriesInNamespace: directory.count({ namespaces: [settings.namespace] }),
      globalEntries: directory.count({ namespaces: [GLOBAL_NAMESPACE] }),
      totalEntries: directory.size,
      averageImportance: Math.round(directory.averageImportance * 1e4) / 1e4,
      storage: { type: 'lancedb', path: store.path, bytes: await store.figures.size() },
      embedder: choice.report(),
      autoCapture: settings.capture.enabled,
      ...(backups.last !== undefined && { lastBackup: backups.last }),
      ...(lifecycle.lastCompaction !== undefined && { lastCompaction: lifecycle.lastCompaction }),
    };
  }

  async stats({ namespace }: StatsRequest = {}): Promise<Stats> {
    const { store, choice } = this.#parts;
    const census = store.figures.census(namespace);
    const entries = store.directory.known(namespace);
    return {
      total: entries.length,
      namespaces: store.directory.namespaces(namespace),
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

  /** What is only known of all namespaces together. */
  async #ofStore(): Promise<Pick<Stats, 'storage' | 'runs' | 'lastCompaction'>> {
    const { store, lifecycle } = this.#parts;
    const storage = await store.figures.table();
    const { lastCompaction } = lifecycle;
    return { storage, runs: store.upkeep.all(), ...(lastCompaction !== undefined && { lastCompaction }) };
  }

  #degraded(): string[] {
    const { store, choice, backups, reembedding } = this.#parts;
    const failing = store.maintenanceFailures >= ALARM_FAILURES;
    return [
      choice.degraded(),
      reembedding.fault,
      this.#staleVectors(),
      failing ? 'Optimizing the store keeps failing, so searches get slower. The server log says why.' : undefined,
      backups.degraded(),
    ].filter((reason) => reason !== undefined);
  }

  #staleVectors(): string | undefined {
    const { choice, reembedding } = this.#parts;
    const count = reembedding.state === undefined ? reembedding.staleCount() : 0;
    if (count === 0) return undefined;
    const { active, target } = choice;
    if (active !== target)
      return `The vectors of ${active.model} serve until \`lore migrate\` has replaced them by those of ${target.model}.`;
    const entries = count === 1 ? '1 entry is' : `${count} entries are`;
    if (choice.degraded() !== undefined) return `${entries} found by keyword only until the configured model is back.`;
    return `${entries} found by keyword only, having no vector of ${choice.active.model}; \`lore migrate\` embeds them.`;
  }
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
