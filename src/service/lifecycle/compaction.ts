import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { ARCHIVE_REASONS, type ArchiveReason, type CompactionSummary } from '../../memory/lifecycle.ts';
import type { CompactionItem, CompactReport, CompactRequest } from '../../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { differenceOf } from '../../memory/same-fact/same-fact.ts';
import type { MaintenanceRun } from '../../memory/maintenance-runs.ts';
import { SteadyTime } from '../../memory/steady-time.ts';
import { keepLastCompaction, readLastCompaction } from '../../store/files/last-compaction.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import { expired, tooMany, weigh, type CompactionRules, type Removal, type Weighed } from './compaction-plan.ts';
import { sameFacts, type SameFact } from './same-facts.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { UsageCounts } from './usage-counts.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** Entries archived together: one commit. */
const BATCH = 100;
const MAX_ITEMS = 1000;
const PREVIEW_CHARS = 120;

interface Parts {
  readonly store: Store;
  readonly usage: UsageCounts;
  readonly clock: Clock;
  readonly rules: CompactionRules;
}

interface Plan {
  readonly looked: number;
  readonly removals: readonly Removal[];
}

/** Archives old unimportant entries, near duplicates, and entries above the limit. */
export class Compaction {
  readonly #parts: Parts;
  readonly #yielder = new EventLoopYielder();
  readonly #time = new SteadyTime();
  #queue: Promise<unknown> = Promise.resolve();
  #work: string | undefined;
  #progress = '';
  #last: CompactionSummary | undefined;
  readonly #ready: Promise<void>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ready = readLastCompaction(parts.store.localPath).then((last) => {
      if (this.#last === undefined && last !== undefined) parts.store.maintenanceRuns.note(maintenanceRunOf(last));
      this.#last ??= last;
    });
  }

  /** Description while it runs. */
  get state(): string | undefined {
    return this.#work === undefined ? undefined : `${this.#work}${this.#progress}`;
  }

  /** The description without the number of entries. */
  get work(): string | undefined {
    return this.#work;
  }

  /** Result of the last run over all namespaces. */
  get last(): CompactionSummary | undefined {
    return this.#last;
  }

  /** Resolves once `last` is known. */
  whenReady(): Promise<void> {
    return this.#ready;
  }

  /** Runs after a running one, if any. A dry run reports what a run would do, with the same code. */
  compact(request: CompactRequest, { source = 'api' }: CallOptions = {}): Promise<CompactReport> {
    const run = this.#queue.then(async () => {
      const at = Date.now();
      try {
        return await this.#compact(request, source);
      } catch (error) {
        const { message } = error instanceof LoreError ? error : { message: 'The server log says why.' };
        if (request.dryRun !== true)
          this.#parts.store.maintenanceRuns.note({ kind: 'compaction', at, state: 'failed', error: message, result: {} });
        throw error;
      } finally {
        [this.#work, this.#progress] = [undefined, ''];
      }
    });
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Stops after the current batch. */
  async close(): Promise<void> {
    this.#yielder.stop();
    await this.#queue;
  }

  async #compact({ dryRun = false, namespace }: CompactRequest, by: Source): Promise<CompactReport> {
    const [at, started] = [Date.now(), performance.now()];
    this.#work = dryRun ? 'planning a compaction' : 'compacting';
    const now = this.#time.now();
    const { looked, removals } = await this.#plan(namespace, now);
    const previews = await this.#previews(removals);
    const run = dryRun ? '' : randomUUID();
    const archived = dryRun ? removals : await this.#archiveAll(removals, { run, by });
    // Determined only now: an entry that was restored and archived again in the meantime has a newer time.
    const outdated = await this.#outdated(namespace, now);
    if (!dryRun) await this.#purge(outdated);
    const purged = outdated.length;
    if (!dryRun) {
      const summary = { at, run, archived: archived.length, purged, ms: Math.round(performance.now() - started) };
      this.#parts.store.maintenanceRuns.note(maintenanceRunOf(summary));
      if (namespace === undefined) await this.#remember(summary);
    }
    const items = archived.slice(0, MAX_ITEMS).map((removal) => itemOf(removal, previews.get(removal.id) ?? ''));
    return { dryRun, run, looked, archived: archived.length, byReason: countsOf(archived), items, purged };
  }

  async #plan(namespace: string | undefined, now: number): Promise<Plan> {
    const { store, usage, rules } = this.#parts;
    const uses = await usage.all();
    const weighed: Weighed[] = [];
    // A copy, because the list may change during each pause.
    for (const known of store.catalog.entries().slice()) {
      const isInPlace = namespace === undefined || known.namespace === namespace;
      if (isInPlace && !isMirror(known)) weighed.push(weigh(known, uses.get(known.id), now));
      await this.#yielder.pause();
    }
    const old = expired(weighed, rules, store.auxiliary.graph);
    const gone = new Set(old.map(({ id }) => id));
    const pairs = await sameFacts({
      store,
      threshold: rules.deduplicationSimilarityThreshold,
      among: (id) => {
        const known = store.catalog.get(id);
        return known !== undefined && !gone.has(id) && !isMirror(known) && (namespace === undefined || known.namespace === namespace);
      },
      pause: this.#yielder.pause,
    });
    const same = pairs.flatMap((pair) => this.#duplicateOf(pair));
    for (const { id } of same) gone.add(id);
    const kept = new Set(same.flatMap(({ survivor }) => survivor ?? []));
    // Entries deleted while the texts were read also reduce the number.
    const left = weighed.filter(({ known }) => store.catalog.get(known.id) !== undefined);
    const rest = tooMany(left, rules, { kept, gone, places: store.auxiliary.graph, now });
    return { looked: weighed.length, removals: [...old, ...same, ...rest] };
  }

  #duplicateOf({ id, survivor, similarity }: SameFact): Removal[] {
    const known = this.#parts.store.catalog.get(id);
    if (known === undefined) return [];
    const limit = this.#parts.rules.deduplicationSimilarityThreshold;
    const why = `Says the same as ${survivor}, which stays (similarity ${similarity.toFixed(2)}, limit ${limit.toFixed(2)}).`;
    const { namespace, updatedAt } = known;
    return [{ id, namespace, reason: 'near duplicate', why, survivor, similarity, updatedAt }];
  }

  /** Ids of expired archived entries. */
  async #outdated(namespace: string | undefined, now: number): Promise<string[]> {
    const { store, rules } = this.#parts;
    if (rules.archiveDays === 0) return [];
    const cells = await store.auxiliary.archive.cells();
    const limit = now - rules.archiveDays * DAY_MS;
    return cells.flatMap((row) =>
      // Keeps the record that the text must never be captured again.
      Number(row['archived_at']) < limit && row['reason'] !== 'unwanted' && (namespace === undefined || row['namespace'] === namespace)
        ? [row.key]
        : [],
    );
  }

  async #previews(removals: readonly Removal[]): Promise<ReadonlyMap<string, string>> {
    const entries = await this.#parts.store.entries.getMany(removals.slice(0, MAX_ITEMS).map(({ id }) => id));
    return new Map(entries.map((entry) => [entry.id, previewOf(entry)]));
  }

  /** The archived entries; entries changed or deleted since the plan are skipped. */
  async #archiveAll(removals: readonly Removal[], note: { run: string; by: Source }): Promise<Removal[]> {
    const archived: Removal[] = [];
    for (let start = 0; start < removals.length; start += BATCH) {
      const batch = removals.slice(start, start + BATCH);
      const went = await Promise.all(batch.map((removal) => this.#archive(removal, note)));
      archived.push(...batch.filter((_, nth) => went[nth]));
      this.#progress = `, ${start + batch.length} of ${removals.length}`;
      await this.#yielder.pause();
    }
    return archived;
  }

  async #archive({ id, reason, survivor, similarity, updatedAt }: Removal, { run, by }: { run: string; by: Source }): Promise<boolean> {
    const { store, clock } = this.#parts;
    const pair = survivor === undefined ? {} : { survivor, ...withoutUndefined({ similarity }) };
    const holds = (entry: Entry, stays: Entry | undefined): boolean =>
      entry.updatedAt === updatedAt && (survivor === undefined || (stays !== undefined && isStillSame(entry, stays)));
    try {
      await store.entries.changes.archive(id, { at: clock.now(), reason, run, ...pair }, { by, holds });
      return true;
    } catch (error) {
      if (error instanceof LoreError && ['not_found', 'invalid_input'].includes(error.code)) return false;
      throw error;
    }
  }

  async #purge(ids: readonly string[]): Promise<void> {
    const { changes } = this.#parts.store.entries;
    for (let start = 0; start < ids.length; start += BATCH) {
      await Promise.all(ids.slice(start, start + BATCH).map((id) => changes.purge(id)));
      await this.#yielder.pause();
    }
  }

  async #remember(summary: CompactionSummary): Promise<void> {
    this.#last = summary;
    await keepLastCompaction(this.#parts.store.localPath, summary);
  }
}

function maintenanceRunOf({ at, ms, archived, purged }: CompactionSummary): MaintenanceRun {
  return { kind: 'compaction', at, ms, state: 'done', result: { archived, purged } };
}

/** Entries of files follow their files, and the next `lore index` would bring them back. */
function isMirror({ source }: CatalogEntry): boolean {
  return source === 'index';
}

function isStillSame(entry: Entry, stays: Entry): boolean {
  const samePlace = entry.namespace === stays.namespace && entry.container === stays.container;
  return samePlace && stays.superseded !== true && differenceOf(entry.content, stays.content) === undefined;
}

function itemOf({ id, namespace, reason, why, survivor }: Removal, preview: string): CompactionItem {
  return { id, namespace, reason, why, preview, ...withoutUndefined({ survivor }) };
}

function countsOf(removals: readonly Removal[]): Record<ArchiveReason, number> {
  const count = (reason: ArchiveReason): number => removals.filter((removal) => removal.reason === reason).length;
  return Object.fromEntries(ARCHIVE_REASONS.map((reason) => [reason, count(reason)])) as Record<ArchiveReason, number>;
}

/** The beginning of the content, on one line. */
function previewOf({ summary, content }: Entry): string {
  const line = (summary ?? content.slice(0, 4 * PREVIEW_CHARS)).replaceAll(/\s+/g, ' ').trim();
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
