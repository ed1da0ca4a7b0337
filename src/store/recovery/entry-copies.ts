/** Finds copies of altered or unreadable entries. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { EntryVersion } from '../../memory/lifecycle.ts';
import type { BackupFolder } from '../backup/backup-folder.ts';
import { shardsIn } from '../backends/folder/layout.ts';
import { entryOf, CatalogEntryReader } from '../catalog/catalog-entry.ts';
import { contentHash } from '../format/content-hash.ts';
import { readCheckpoint } from '../format/checkpoint.ts';
import { ENTRY_COLUMNS } from '../format/field-columns.ts';
import { tableFolder } from '../format/manifests.ts';
import { rowsOf, textOf, vectorsOf, type RawRow, type StoredRow } from '../format/rows.ts';
import { vectorColumnsOf } from '../format/schema.ts';
import { entriesTables } from '../format/shards.ts';
import { readLogFiles } from '../wal/log-files.ts';
import { refuseDamage, TableSalvage } from './salvage.ts';

/** Known facts about an entry to recover. */
export interface LostEntry {
  /** Possible hashes of its content; empty if unknown. */
  readonly hashes: readonly string[];
  /** Its version; undefined if unknown. */
  readonly writtenAt: number | undefined;
}

/** A copy of an entry found elsewhere. */
export interface EntryCopy {
  readonly row: StoredRow;
  /** Whether it is the exact version; otherwise only the content is the same. */
  readonly isExact: boolean;
  readonly way: 'backup' | 'history';
  /** Name of the backup. */
  readonly from?: string;
}

/** A row of an auxiliary table from a backup. */
export interface AuxiliaryCopy {
  readonly row: RawRow;
  readonly from: string;
}

export interface Copies {
  /** By id. */
  readonly entries: ReadonlyMap<string, EntryCopy>;
  /** By table, then by key. */
  readonly auxiliary: ReadonlyMap<string, ReadonlyMap<string, AuxiliaryCopy>>;
}

export interface LostRows {
  /** By id. */
  readonly entries: ReadonlyMap<string, LostEntry>;
  /** By table: keys of rows, with a check of the row. */
  readonly auxiliary: ReadonlyMap<string, ReadonlyMap<string, (row: RawRow) => boolean>>;
}

export const NO_COPIES: Copies = { entries: new Map(), auxiliary: new Map() };

interface Places {
  readonly storePath: string;
  readonly backups: Pick<BackupFolder, 'list' | 'unpackIntact'>;
  /** A new folder on the disk of the store, removed afterwards. */
  readonly work: string;
}

/**
 * Searches for copies in intact backups, newest first, then in the history of the store. Takes the exact version from any source, or else
 * the newest copy with the same content.
 */
export async function findCopies({ storePath, backups, work }: Places, wanted: LostRows): Promise<Copies> {
  const entries = new Map<string, EntryCopy>();
  const auxiliary = new Map<string, Map<string, AuxiliaryCopy>>();
  const isDone = (): boolean =>
    [...wanted.entries.keys()].every((id) => entries.get(id)?.isExact === true) &&
    [...wanted.auxiliary].every(([table, rows]) => [...rows.keys()].every((key) => auxiliary.get(table)?.has(key) === true));
  if (wanted.entries.size + wanted.auxiliary.size === 0) return { entries, auxiliary };
  try {
    for (const backup of await backups.list()) {
      if (isDone()) break;
      const unpacked = path.join(work, 'unpacked');
      await rm(work, { recursive: true, force: true });
      await mkdir(work, { recursive: true, mode: 0o700 });
      await backups.unpackIntact(backup, unpacked);
      const place = { storePath: unpacked, work: path.join(work, 'reading') };
      // If a backup cannot be read, the previous one is tried.
      await takeFrom(place, { wanted, entries, auxiliary: auxiliary, from: backup.name }).catch(refuseDamage);
    }
    for await (const row of sideRows(storePath, 'history', path.join(work, 'reading'))) offerVersion(entries, wanted.entries, row);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { entries, auxiliary };
}

interface Taking {
  readonly wanted: LostRows;
  readonly entries: Map<string, EntryCopy>;
  readonly auxiliary: Map<string, Map<string, AuxiliaryCopy>>;
  readonly from: string;
}

async function takeFrom(
  { storePath, work }: Pick<Places, 'storePath' | 'work'>,
  { wanted, entries, auxiliary, from }: Taking,
): Promise<void> {
  for (const [table, rows] of wanted.auxiliary) {
    const copies = auxiliary.get(table) ?? new Map<string, AuxiliaryCopy>();
    auxiliary.set(table, copies);
    for await (const row of sideRows(storePath, table, work)) {
      const key = textOf(row, 'key');
      if (!copies.has(key) && rows.get(key)?.(row) === true) copies.set(key, { row, from });
    }
  }
  if (wanted.entries.size === 0) return;
  for await (const row of rowsIn(storePath, work)) offer(entries, wanted.entries, { row, way: 'backup', from });
}

/** Rows that the log will replace or remove when the store is opened: by id, whether the row exists then. */
export function pendingInLog(storePath: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const record of readLogFiles(storePath)) {
    if (record.op === 'put') found.set(record.row.entry.id, true);
    else if (record.op === 'remove') found.set(record.id, false);
  }
  return found;
}

function offer(found: Map<string, EntryCopy>, wanted: LostRows['entries'], copy: Omit<EntryCopy, 'isExact'>): void {
  const { entry, writtenAt } = copy.row;
  // No two versions have the same time, so a version identifies a row even if its id is damaged.
  const id = wanted.has(entry.id) ? entry.id : wantedAt(wanted, writtenAt);
  const want = id === undefined ? undefined : wanted.get(id);
  if (id === undefined || want === undefined || found.get(id)?.isExact === true || contentHash(entry.content) !== entry.contentHash) return;
  const isSame = want.hashes.length === 0 || want.hashes.includes(entry.contentHash);
  const isExact = isSame && want.writtenAt === writtenAt;
  if (isExact || (isSame && !found.has(id))) found.set(id, { ...copy, isExact });
}

const byTime = new WeakMap<LostRows['entries'], ReadonlyMap<number | undefined, string>>();

function wantedAt(wanted: LostRows['entries'], writtenAt: number): string | undefined {
  const known = byTime.get(wanted) ?? new Map([...wanted].map(([id, want]) => [want.writtenAt, id] as const));
  byTime.set(wanted, known);
  return known.get(writtenAt);
}

/** An earlier version with the same content: only the content is used. */
function offerVersion(found: Map<string, EntryCopy>, wanted: LostRows['entries'], { body }: RawRow): void {
  const version = parseAuxiliary(body) as EntryVersion | undefined;
  const want = version && wanted.get(version.entryId);
  if (version === undefined || want === undefined || found.has(version.entryId)) return;
  const { content } = version.state;
  const hash = contentHash(content);
  if (!want.hashes.includes(hash)) return;
  const entry = { ...version.state, id: version.entryId, contentHash: hash } as StoredRow['entry'];
  found.set(version.entryId, {
    row: { entry, searchText: '', vectors: undefined, writtenAt: version.writtenAt },
    isExact: false,
    way: 'history',
  });
}

/** The value of an auxiliary row; undefined if it is unreadable. */
export function parseAuxiliary(body: unknown): unknown {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every entry of a closed store that can be read, including those only in the log. */
async function* rowsIn(storePath: string, work: string): AsyncGenerator<StoredRow> {
  for (const record of readLogFiles(storePath).toReversed()) if (record.op === 'put') yield record.row;
  const reader = new CatalogEntryReader();
  for (const name of entriesTables(shardsIn(storePath, readCheckpoint(storePath)) ?? 1)) {
    if (!existsSync(path.join(storePath, tableFolder(name)))) continue;
    const salvage = new TableSalvage({ storePath, name, work, isDerived: () => false });
    const schema = await salvage.begin(undefined);
    if (schema === undefined) continue;
    const columns = vectorColumnsOf(schema);
    for await (const { batches, deletedAmong } of salvage.fragments()) {
      if (deletedAmong > 0) continue;
      for (const batch of batches) {
        const known = reader.read(batch);
        const names = batch.schema.fields.map((field) => field.name);
        for (const [nth, raw] of rowsOf(batch, names).entries()) {
          const facts = known[nth]!;
          const entry = entryOf(facts, ENTRY_COLUMNS.texts(raw));
          yield { entry, searchText: textOf(raw, 'search_text'), vectors: vectorsOf(raw, columns), writtenAt: facts.writtenAt };
        }
      }
    }
  }
}

async function* sideRows(storePath: string, name: string, work: string): AsyncGenerator<RawRow> {
  if (!existsSync(path.join(storePath, tableFolder(name)))) return;
  const salvage = new TableSalvage({ storePath, name, work, isDerived: () => false });
  const schema = await salvage.begin(undefined);
  if (schema === undefined) return;
  const names = schema.fields.map((field) => field.name);
  for await (const { batches } of salvage.fragments()) for (const batch of batches) yield* rowsOf(batch, names);
}
