import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { LoreError } from '../../memory/errors.ts';
import { isMissing } from '../errors/remote-fault.ts';
import { asStoreError } from '../errors/store-error.ts';
import { arrow } from '../format/schema.ts';
import { createDeadline } from '../wal/shared/deadline.ts';
import { tableNames, type SharedTables } from '../wal/shared/segment.ts';
import { TextSum } from './backup-file.ts';
import {
  backupName,
  backupOf,
  isBackupName,
  newManifest,
  parseManifest,
  shownBy,
  type BackupFile,
  type BackupManifest,
  type StoredBackup,
} from './backup-manifest.ts';
import { ABANDONED_AFTER_MS, EXPORT_FILE, type BackupStorage, type ExportCopy, type ExportBackupRequest } from './backup-storage.ts';

interface Settings {
  readonly connect: () => Promise<Connection>;
  /** Longest wait for one call, milliseconds. */
  readonly timeoutMs: number;
}

/** Suffix of the table with the contents of a backup; the manifest table has the name of the backup. */
const TEXT = '.text';
/** Compressed bytes in one row: the unit of requests and of memory. */
const PART_BYTES = 4 * 1024 * 1024;

const textSchema = (): Schema =>
  new arrow.Schema([new arrow.Field('part', new arrow.Int32(), false), new arrow.Field('data', new arrow.Binary(), false)]);
const manifestSchema = (): Schema => new arrow.Schema([new arrow.Field('manifest', new arrow.Utf8(), false)]);

interface Part {
  readonly part: number;
  readonly data: Uint8Array;
}

/**
 * Backups on object storage, where only the engine can write. Each has two tables: one with the compressed text in parts, and one with a
 * single row, the manifest, which is created last and in one step. Without a manifest a backup is incomplete.
 */
export class BackupObjects implements BackupStorage {
  readonly #settings: Settings;
  /** Manifests never change, so they are cached. */
  readonly #manifests = new Map<string, BackupManifest>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async list(most = Infinity): Promise<StoredBackup[]> {
    return await this.#connected(async (tables) => {
      const names = (await tableNames(tables)).filter(isBackupName).toSorted().toReversed();
      const whole: StoredBackup[] = [];
      // A few more than requested, because some may be incomplete.
      for (let start = 0; start < names.length && whole.length < most; start += TOGETHER) {
        const some = names.slice(start, Math.min(start + TOGETHER, start + most));
        const manifests = await Promise.all(some.map((name) => this.#manifest(tables, name)));
        for (const [nth, manifest] of manifests.entries()) if (typeof manifest === 'object') whole.push({ name: some[nth]!, manifest });
      }
      return whole.slice(0, most);
    });
  }

  async get(name: string): Promise<StoredBackup> {
    return await this.#connected(async (tables) => backupOf(name, isBackupName(name) ? await this.#manifest(tables, name) : undefined));
  }

  async writeExport(copy: ExportCopy, order: ExportBackupRequest): Promise<StoredBackup> {
    return await this.#connected(async (tables) => {
      await this.#dropAbandoned(tables);
      const taken = new Set(await tableNames(tables));
      let at = copy.takenAt;
      while (taken.has(backupName(at)) || taken.has(`${backupName(at)}${TEXT}`)) at += 1;
      const name = backupName(at);
      const { kind, version } = order;
      const facts = { lore: version, createdAt: new Date(copy.takenAt).toISOString(), kind, compressed: true };
      const { storedBytes, file } = await writeText(tables, { name, text: copy.text() });
      const manifest = newManifest({ ...facts, entries: copy.entries, storedBytes, files: [file] });
      const rows = [{ manifest: JSON.stringify(manifest) }];
      // If this fails the text stays, because the manifest may still have been written.
      (await tables.within(WRITE, tables.connection.createTable(name, rows, { schema: manifestSchema() }))).close();
      return { name, manifest };
    });
  }

  async problems(backup: StoredBackup): Promise<string[]> {
    const problems: string[] = [];
    for (const file of backup.manifest.files) {
      const found = await this.#fault(backup, file);
      if (found !== undefined) problems.push(`${file.path} is ${found}`);
    }
    return problems;
  }

  async *read({ name, manifest: { compressed } }: Pick<StoredBackup, 'name' | 'manifest'>, _file: BackupFile): AsyncGenerator<Uint8Array> {
    const tables = await this.#open();
    try {
      const parts = Readable.from(partsOf(tables, name));
      yield* compressed ? pipeline(parts, createGunzip(), () => undefined) : parts;
    } finally {
      tables.connection.close();
    }
  }

  async remove(name: string): Promise<void> {
    if (!isBackupName(name)) return;
    await this.#connected(async (tables) => await this.#drop(tables, name));
  }

  /** The manifest first: an interrupted removal must not leave a backup that looks complete. */
  async #drop({ connection, within }: SharedTables, name: string): Promise<void> {
    this.#manifests.delete(name);
    for (const table of [name, `${name}${TEXT}`]) {
      await within('remove an old backup', connection.dropTable(table)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  }

  /** Incomplete backups of killed processes, and incomplete removals. */
  async #dropAbandoned(tables: SharedTables): Promise<void> {
    const names = new Set((await tableNames(tables)).map((name) => (name.endsWith(TEXT) ? name.slice(0, -TEXT.length) : name)));
    for (const name of names) {
      if (!isBackupName(name) || Date.now() - shownBy(name) < ABANDONED_AFTER_MS) continue;
      if ((await this.#manifest(tables, name)) === undefined) await this.#drop(tables, name);
    }
  }

  /** Undefined if it is incomplete; a text is the reason why it cannot be read. */
  async #manifest({ connection, within }: SharedTables, name: string): Promise<BackupManifest | string | undefined> {
    const known = this.#manifests.get(name);
    if (known !== undefined) return known;
    let table: Table | undefined;
    try {
      table = await within(READ, connection.openTable(name));
      const [row] = (await within(READ, table.query().toArray())) as { readonly manifest: string }[];
      const manifest = row && parseManifest(row.manifest);
      if (typeof manifest === 'object') this.#manifests.set(name, manifest);
      return manifest;
    } catch (error) {
      // A table is listed as soon as its data exists, and until all of it is gone.
      if (isMissing(error)) return undefined;
      throw error;
    } finally {
      table?.close();
    }
  }

  async #fault(backup: StoredBackup, file: BackupFile): Promise<'missing' | 'damaged' | undefined> {
    const sum = new TextSum();
    try {
      for await (const _piece of sum.of(this.read(backup, file)));
    } catch (error) {
      if (isMissing(error)) return 'missing';
      if (error instanceof LoreError && error.code === 'unavailable') throw error;
      return 'damaged';
    }
    const { sha256, bytes } = sum.result();
    return sha256 === file.sha256 && bytes === file.bytes ? undefined : 'damaged';
  }

  async #open(): Promise<SharedTables> {
    const { connect, timeoutMs } = this.#settings;
    const within = createDeadline(timeoutMs);
    return { connection: await within(READ, connect()), within };
  }

  async #connected<Result>(work: (tables: SharedTables) => Promise<Result>): Promise<Result> {
    const tables = await this.#open();
    try {
      return await work(tables);
    } finally {
      tables.connection.close();
    }
  }
}

const WRITE = 'write the backup';
const READ = 'read the backups';
/** Manifests that are read concurrently. */
const TOGETHER = 8;

/** Creates the table of the text. If it rejects, nothing remains, as far as possible. */
async function writeText(
  { connection, within }: SharedTables,
  { name, text }: { readonly name: string; readonly text: AsyncIterable<string> },
): Promise<{ readonly storedBytes: number; readonly file: BackupFile }> {
  const table = await within(WRITE, connection.createEmptyTable(`${name}${TEXT}`, textSchema()));
  try {
    const sum = new TextSum();
    let [part, storedBytes] = [0, 0];
    for await (const data of inParts(pipeline(Readable.from(sum.of(text)), createGzip(), () => undefined))) {
      await within(WRITE, table.add([{ part, data }]));
      part += 1;
      storedBytes += data.length;
    }
    // A write whose response was lost may have been made twice.
    if ((await within(WRITE, table.countRows())) !== part)
      throw new LoreError('unavailable', `Could not ${WRITE}: parts of it are missing.`);
    return { storedBytes, file: { path: EXPORT_FILE, ...sum.result() } };
  } catch (error) {
    await within(WRITE, connection.dropTable(`${name}${TEXT}`)).catch(() => undefined);
    return asStoreError(WRITE)(error);
  } finally {
    table.close();
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** Sequential, by position: a condition on their number would scan all of them each time. */
async function* partsOf({ connection, within }: SharedTables, name: string): AsyncGenerator<Uint8Array> {
  const table = await within(READ, connection.openTable(`${name}${TEXT}`));
  try {
    const count = await within(READ, table.countRows());
    for (let nth = 0; nth < count; nth += 1) {
      const [row] = (await within(READ, table.query().offset(nth).limit(1).toArray())) as Part[];
      if (row?.part !== nth) throw new LoreError('filesystem', `The backup ${name} is damaged: part ${nth} is not in its place.`);
      yield row.data;
    }
  } finally {
    table.close();
  }
}
