import type { JobRun } from '../jobs/job.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Log } from '../memory/log.ts';
import { DEGRADED } from '../memory/degraded.ts';
import { MAX_VERIFIED_IDS, type VerifiedFiles, type VerifyReport } from '../memory/operations/verification.ts';
import type { Store } from '../store/store.ts';
import type { CheckedFiles, Verified } from '../store/recovery/verification.ts';
import type { SummedFile } from '../store/tables/file-sums.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

interface Parts {
  readonly store: Store;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  /** Time in which all entries are checked once; 0 for never. */
  readonly intervalMs: number;
}

const ROWS_AT_ONCE = 500;
const TICK_MS = 60_000;
const MOST_TICK_ROWS = 2000;

/**
 * Verifies stored data against checksums: completely on request, and slowly in the background, a few entries per quiet minute. A finding
 * stays until a later check of the same entry passes.
 */
export class Scrub {
  readonly #parts: Parts;
  readonly #altered = new Set<string>();
  readonly #unreadable = new Set<string>();
  /** By their paths. */
  readonly #wrong = new Map<string, SummedFile>();
  /** Ids to check in this round. */
  #left: string[] = [];
  #leftFiles: SummedFile[] = [];
  #round: { readonly at: number; readonly started: number; checked: number } | undefined;
  /**
   * Start of a round, 0..1 of all entries: if it were always the first entry, processes that end early would check the same ones each time.
   */
  readonly #from = Math.random();
  readonly #yielder = new EventLoopYielder();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { intervalMs } = parts;
    const everyMs = Math.min(TICK_MS, intervalMs);
    const job = parts.scheduler.add({
      name: 'scrub',
      run: async (run) => {
        await this.#tick(everyMs / intervalMs, run);
        return everyMs;
      },
      retryAfter: () => everyMs,
      failure: 'the check of stored data stopped; it continues later',
      close: async (stop) => {
        this.#yielder.stop();
        await stop();
      },
    });
    if (intervalMs > 0) job.wake(everyMs);
  }

  /** Current findings as a sentence; undefined if there are none. Without `counts`, without numbers. */
  degraded({ counts }: { readonly counts: boolean } = { counts: true }): string | undefined {
    const { catalog } = this.#parts.store;
    const still = (ids: ReadonlySet<string>): number => [...ids].filter((id) => catalog.get(id) !== undefined).length;
    const found = { altered: still(this.#altered), unreadable: still(this.#unreadable) };
    if (found.altered + found.unreadable === 0) return undefined;
    return DEGRADED.altered(counts ? found : undefined);
  }

  /** The same for files. */
  degradedFiles({ counts }: { readonly counts: boolean } = { counts: true }): string | undefined {
    const { size } = this.#wrong;
    return size === 0 ? undefined : DEGRADED.wrongFiles(counts ? size : undefined);
  }

  /**
   * Checks every entry, the archive and the files now. Rejects if `signal` aborts or the store is closing, because a partial result would
   * look complete.
   */
  async verify(signal?: AbortSignal): Promise<VerifyReport> {
    const { store } = this.#parts;
    const started = performance.now();
    const found: Verified[] = [];
    const ids = store.catalog.entries().map(({ id }) => id);
    for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
      signal?.throwIfAborted();
      found.push(await this.#look(ids.slice(start, start + ROWS_AT_ONCE)));
      await this.#yielder.pause();
    }
    signal?.throwIfAborted();
    const archive = await store.verification.archive();
    if (archive !== undefined) found.push(archive);
    const files = await this.#verifyFiles(signal);
    const bad = found.flatMap(({ altered, unreadable }) => [...altered, ...unreadable]);
    if (archive !== undefined && files?.wrong.length === 0 && files.withoutChecksum > 0) await store.verification.prove(bad);
    const all = (pick: (verified: Verified) => readonly string[]): string[] => found.flatMap(pick).slice(0, MAX_VERIFIED_IDS);
    return {
      checked: found.reduce((sum, { checked }) => sum + checked, 0),
      altered: all(({ altered }) => altered),
      unreadable: all(({ unreadable }) => unreadable),
      ...(archive === undefined && { archiveUnreadable: true }),
      ...withoutUndefined({ files }),
      ms: Math.round(performance.now() - started),
    };
  }

  async #verifyFiles(signal: AbortSignal | undefined): Promise<VerifiedFiles | undefined> {
    const { verification } = this.#parts.store;
    const inUse = await verification.filesInUse();
    if (inUse === undefined) return undefined;
    const pause = async (): Promise<void> => {
      signal?.throwIfAborted();
      await this.#yielder.pause();
    };
    const { checked, wrong } = await this.#checkFiles(inUse, pause);
    return {
      checked,
      withoutChecksum: inUse.filter(({ sum }) => sum === undefined).length,
      wrong: wrong.map((file) => ({ ...file, entries: file.entries.slice(0, MAX_VERIFIED_IDS) })),
    };
  }

  /** Checks this share of all entries, unless there is other work to do. */
  async #tick(share: number, { signal }: JobRun): Promise<void> {
    const { store } = this.#parts;
    // One of the servers that share a store is enough.
    if (store.maintenance !== 'idle' || !store.maintains) return;
    if (this.#round === undefined) {
      const ids = store.catalog.entries().map(({ id }) => id);
      const from = Math.floor(ids.length * this.#from);
      this.#left = [...ids.slice(from), ...ids.slice(0, from)];
      this.#leftFiles = (await store.verification.filesInUse()) ?? [];
      this.#round = { at: Date.now(), started: performance.now(), checked: 0 };
    }
    const rows = Math.min(MOST_TICK_ROWS, Math.max(1, Math.ceil(store.catalog.size * share)));
    for (let done = 0; done < rows && this.#left.length > 0 && !signal.aborted; done += ROWS_AT_ONCE) {
      const ids = this.#left.slice(0, Math.min(ROWS_AT_ONCE, rows - done));
      const { checked } = await this.#look(ids);
      // Repeated at the end: entries that a temporary fault made unreadable.
      this.#left.splice(0, ids.length);
      this.#round.checked += checked;
    }
    const files = this.#left.length === 0 ? this.#leftFiles.length : Math.ceil(this.#leftFiles.length * share);
    await this.#checkFiles(this.#leftFiles.splice(0, files), this.#yielder.pause);
    if (this.#left.length === 0 && !signal.aborted) await this.#endRound(this.#round);
  }

  async #endRound({ at, started, checked }: { readonly at: number; readonly started: number; readonly checked: number }): Promise<void> {
    this.#round = undefined;
    const { store, log } = this.#parts;
    const ms = Math.round(performance.now() - started);
    const isGone = (id: string): boolean => store.catalog.get(id) === undefined;
    for (const ids of [this.#altered, this.#unreadable]) for (const id of ids) if (isGone(id)) ids.delete(id);
    const files = (await store.verification.filesInUse()) ?? [];
    const inUse = new Set(files.map(pathOf));
    for (const path of this.#wrong.keys()) if (!inUse.has(path)) this.#wrong.delete(path);
    if (this.#wrong.size === 0 && files.some(({ sum }) => sum === undefined)) {
      await store.verification.prove([...this.#altered, ...this.#unreadable]);
    }
    if (checked === 0) return;
    store.maintenanceRuns.note({ kind: 'scrub', at, ms, state: 'done', result: { entries: checked } });
    log.debug({ checked, ms }, 'every entry was compared with its checksum');
  }

  async #look(ids: readonly string[]): Promise<Verified> {
    const verified = await this.#parts.store.verification.entries(ids);
    for (const [found, known] of [
      [verified.altered, this.#altered],
      [verified.unreadable, this.#unreadable],
    ] as const) {
      for (const id of ids) known.delete(id);
      for (const id of found) if (known.size < MAX_VERIFIED_IDS) known.add(id);
      if (found.length > 0) this.#parts.log.warn({ ids: found.slice(0, 20) }, 'entries on the disk are not what was saved');
    }
    return verified;
  }

  /** Compares these files with their checksums. Damaged indexes are rebuilt from the rows. */
  async #checkFiles(files: readonly SummedFile[], pause: () => Promise<void>): Promise<CheckedFiles> {
    const { store, log } = this.#parts;
    const looked = await store.verification.files(files, pause);
    for (const file of files) this.#wrong.delete(pathOf(file));
    if (looked.wrong.length === 0) return looked;
    log.warn({ files: looked.wrong.map(({ path }) => path) }, 'files of the store were altered');
    const wrong = new Set(looked.wrong.filter(({ kind }) => kind !== 'index').map(({ path }) => path));
    for (const file of files) if (wrong.has(pathOf(file))) this.#wrong.set(pathOf(file), file);
    if (looked.wrong.some(({ kind }) => kind === 'index')) {
      await store.verification
        .renewIndexes()
        .catch((error: unknown) => log.warn({ error: String(error) }, 'damaged indexes could not be moved aside'));
    }
    return looked;
  }
}

const pathOf = ({ table, file }: SummedFile): string => `${table}.lance/${file}`;
