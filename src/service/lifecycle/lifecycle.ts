import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Clock } from '../../memory/clock.ts';
import type { Entry } from '../../memory/entry.ts';
import type { CompactionSummary } from '../../memory/lifecycle.ts';
import type {
  ArchivePage,
  ArchiveRequest,
  CompactReport,
  CompactRequest,
  EntryHistory,
  ForgetReport,
  ForgetRequest,
  LifecycleOperations,
  RestoreReport,
  RestoreRequest,
} from '../../memory/operations/lifecycle-operations.ts';
import type { Log } from '../../memory/log.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { Compaction } from './compaction.ts';
import type { CompactionRules } from './compaction-plan.ts';
import { CompactionSchedule } from './compaction-schedule.ts';
import type { Drafting } from '../changes/drafting.ts';
import { Forgetting } from './forgetting.ts';
import { History } from '../changes/history.ts';
import { Restoring } from './restoring.ts';
import { UsageCounts } from './usage-counts.ts';
import type { WriteLimiter } from '../write-limiter.ts';

interface Parts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  readonly rules: CompactionRules;
  readonly scheduler: Pick<Scheduler, 'add' | 'background'>;
  readonly log: Log;
  /** Called for entries with changed content or namespace. */
  readonly onEdited: (id: string) => void;
}

/** The life cycle of entries: use counts, history, archiving, restoring. */
export class Lifecycle implements LifecycleOperations {
  readonly usage: UsageCounts;
  readonly #parts: Parts;
  readonly #compaction: Compaction;
  readonly #forgetting: Forgetting;
  readonly #restoring: Restoring;
  readonly #history: History;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.usage = new UsageCounts(parts);
    this.#compaction = new Compaction({ ...parts, usage: this.usage });
    this.#forgetting = new Forgetting(parts);
    this.#restoring = new Restoring({ ...parts, usage: this.usage });
    this.#history = new History(parts);
    if (parts.scheduler.background && parts.rules.enabled) this.#start();
  }

  /** Description of the running work. */
  get state(): string | undefined {
    return this.#compaction.state;
  }

  /** The description without the number of entries. */
  get work(): string | undefined {
    return this.#compaction.work;
  }

  /** Result of the last compaction of all namespaces. */
  get lastCompaction(): CompactionSummary | undefined {
    return this.#compaction.last;
  }

  compact(request: CompactRequest, options?: CallOptions): Promise<CompactReport> {
    return this.#compaction.compact(request, options);
  }

  forgetMany(request: ForgetRequest, options?: CallOptions): Promise<ForgetReport> {
    return this.#forgetting.forget(request, options);
  }

  archived(request: ArchiveRequest): Promise<ArchivePage> {
    return this.#restoring.list(request);
  }

  restore(request: RestoreRequest, options?: CallOptions): Promise<RestoreReport> {
    return this.#restoring.restore(request, options);
  }

  history(id: string): Promise<EntryHistory> {
    return this.#history.of(id);
  }

  undo(id: string, options?: CallOptions): Promise<Entry> {
    return this.#parts.limiter.one(0, () => this.#history.undo(id, options));
  }

  /** Stops running work. */
  async close(): Promise<void> {
    this.#forgetting.close();
    this.#restoring.close();
    await this.#compaction.close();
  }

  #start(): void {
    const { store, rules, scheduler, log } = this.#parts;
    const run = async (): Promise<void> => {
      // One of the servers that share a store is enough.
      if (!store.maintains) return;
      const { archived, purged, run: name } = await this.#compaction.compact({});
      log.info({ run: name, archived, purged, ms: this.#compaction.last?.ms }, 'compacted');
    };
    const since = async (): Promise<number | undefined> => {
      await this.#compaction.whenReady();
      return this.#compaction.last?.at ?? store.catalog.entries()[0]?.createdAt;
    };
    const schedule = new CompactionSchedule({ schedule: rules.schedule, run, since, scheduler, log });
    schedule.catchUp().catch((error: unknown) => log.warn({ error: String(error) }, 'the schedule of compaction could not be read'));
  }
}
