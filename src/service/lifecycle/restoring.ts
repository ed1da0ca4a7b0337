import { nextTimeAfter, type Clock } from '../../memory/clock.ts';
import type { Entry } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { storedName, withStoredNames } from '../../memory/names.ts';
import { withConvertedResult, type IdempotentRequest } from '../../memory/idempotency.ts';
import type { ArchivePage, ArchiveRequest, RestoreReport, RestoreRequest } from '../../memory/operations/lifecycle-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { AuxiliaryCells } from '../../store/tables/auxiliary-table.ts';
import type { Store } from '../../store/store.ts';
import type { Drafting } from '../changes/drafting.ts';
import { instant } from '../instant.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { UsageCounts } from './usage-counts.ts';
import { charsOf, type WriteLimiter } from '../write-limiter.ts';

const DEFAULT_LIMIT = 20;
/** Entries embedded and restored together. */
const BATCH = 100;

interface Parts {
  readonly store: Pick<Store, 'entries' | 'auxiliary' | 'catalog'>;
  readonly drafting: Drafting;
  readonly usage: UsageCounts;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
}

/** Lists and restores archived entries. */
export class Restoring {
  readonly #parts: Parts;
  readonly #yielder = new EventLoopYielder();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One page, latest first; for one namespace only relations with both ends in it. */
  async list({ namespace, reason, run, idPrefix = '', limit = DEFAULT_LIMIT, offset = 0 }: ArchiveRequest): Promise<ArchivePage> {
    const within = await this.#latestFirst((row) => namespace === undefined || storedName(String(row['namespace'])) === namespace);
    const rows = within.filter(
      (row) =>
        (reason === undefined || row['reason'] === reason) && (run === undefined || row['run'] === run) && row.key.startsWith(idPrefix),
    );
    const page = await this.#parts.store.auxiliary.archive.getMany(rows.slice(offset, offset + limit).map(({ key }) => key));
    const archivedIds = new Set(within.map(({ key }) => key));
    const isInside = (id: string): boolean => archivedIds.has(id) || this.#parts.store.catalog.get(id)?.namespace === namespace;
    const shown = namespace === undefined ? page : page.map((archived) => relatedWithin(archived, isInside));
    const entries = shown.map(({ at: archivedAt, ...archived }) => ({ ...archived, archivedAt }));
    return { entries, total: rows.length, offset, limit };
  }

  /**
   * Restores entries with new vectors and the relations whose other end exists. Entries that cannot be restored stay in the archive and
   * are returned with the reason. Rejects with `not_found` if all ids are unknown.
   */
  async restore(request: RestoreRequest, { idempotent }: CallOptions = {}): Promise<RestoreReport> {
    const { ids = [], dryRun = false } = request;
    const rows = await this.#latestFirst(wantedBy(request));
    const found = new Set(rows.map(({ key }) => key));
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (rows.length === 0 && missing[0] !== undefined) throw entryNotFound(missing[0]);
    const report = { dryRun, restored: [] as string[], skipped: missing.map((id) => ({ id, reason: 'It is not in the archive.' })) };
    // For a single entry, the idempotent response is stored with the change: a retry would not find it in the archive.
    const alone =
      rows.length === 1 ? withConvertedResult(idempotent, () => ({ ...report, restored: rows.map(({ key }) => key) })) : undefined;
    // Latest first: an entry archived earlier can regain a relation only if the other end exists.
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = await this.#parts.store.auxiliary.archive.getMany(rows.slice(start, start + BATCH).map(({ key }) => key));
      const faults = dryRun ? batch.map((archived) => this.#faultOf(archived)) : await this.#restoreWhenAllowed(batch, alone);
      for (const [nth, { entry }] of batch.entries()) {
        const reason = faults[nth];
        if (reason === undefined) report.restored.push(entry.id);
        else report.skipped.push({ id: entry.id, reason });
      }
      await this.#yielder.pause();
    }
    return report;
  }

  /** Stops after the current batch. */
  close(): void {
    this.#yielder.stop();
  }

  async #latestFirst(isWanted: (row: AuxiliaryCells) => boolean): Promise<AuxiliaryCells[]> {
    const rows = (await this.#parts.store.auxiliary.archive.cells()).filter(isWanted);
    return rows.toSorted((a, b) => Number(b['archived_at']) - Number(a['archived_at']) || (a.key < b.key ? 1 : -1));
  }

  /** Why it could not be restored. */
  #faultOf({ entry }: ArchivedEntry): string | undefined {
    const { catalog } = this.#parts.store;
    if (catalog.get(entry.id) !== undefined) return `The id ${entry.id} belongs to another entry with other content.`;
    const duplicate = catalog.same(withStoredNames(entry));
    return duplicate === undefined ? undefined : `The entry ${duplicate} now has exactly this content.`;
  }

  #restoreWhenAllowed(batch: readonly ArchivedEntry[], request: IdempotentRequest | undefined): Promise<(string | undefined)[]> {
    return this.#parts.limiter.many({ changes: batch.length, chars: charsOf(batch) }, () => this.#restoreBatch(batch, request));
  }

  /** In order; for each entry the reason why it was not restored, if it was not. */
  async #restoreBatch(batch: readonly ArchivedEntry[], request: IdempotentRequest | undefined): Promise<(string | undefined)[]> {
    const { store, drafting, usage } = this.#parts;
    const rows = await drafting.rows(batch.map((archived) => this.#wanted(archived)));
    return await Promise.all(
      batch.map(async (archived, nth) => {
        try {
          await store.entries.changes.restore(archived, rows[nth]!, request);
          // Someone wants the entry: compaction must not archive it for its age again next week.
          usage.count([archived.entry.id]);
          await this.#keepApart(archived);
          return undefined;
        } catch (error) {
          if (error instanceof LoreError && ['invalid_input', 'not_found'].includes(error.code)) return error.message;
          throw error;
        }
      }),
    );
  }

  /** Restoring a forgotten entry counts as a change later than the forgetting, so that a sync restores it in other stores. */
  #wanted({ entry, reason, at }: ArchivedEntry): Entry {
    if (reason !== 'forgotten') return entry;
    return { ...entry, updatedAt: Math.max(this.#parts.clock.now(), nextTimeAfter(Math.max(at, entry.updatedAt))) };
  }

  /** A restored near duplicate gets a manual relation, so that the next compaction keeps both. */
  async #keepApart({ entry, survivor, similarity = 1 }: ArchivedEntry): Promise<void> {
    const { store, clock } = this.#parts;
    if (survivor === undefined || store.catalog.get(survivor) === undefined) return;
    const relation = { sourceId: entry.id, targetId: survivor, type: 'similar', strength: similarity } as const;
    await store.entries.changes.relate({ ...relation, createdAt: Math.floor(clock.now()), origin: 'manual' }).catch((error: unknown) => {
      if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
    });
  }
}

/** An archived entry with only the relations and the successor in this namespace. */
export function relatedWithin({ survivor, ...archived }: ArchivedEntry, isInside: (id: string) => boolean): ArchivedEntry {
  return {
    ...archived,
    ...(survivor !== undefined && isInside(survivor) && { survivor }),
    relations: archived.relations.filter(({ sourceId, targetId }) => isInside(sourceId) && isInside(targetId)),
  };
}

function wantedBy({ ids, run, since, namespace }: RestoreRequest): (row: AuxiliaryCells) => boolean {
  const named = new Set(ids);
  const from = since === undefined ? undefined : instant(since);
  return (row) =>
    (namespace === undefined || storedName(String(row['namespace'])) === namespace) &&
    (ids === undefined || named.has(row.key)) &&
    (run === undefined || row['run'] === run) &&
    (from === undefined || Number(row['archived_at']) >= from);
}
