import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { linkOrCopy } from '../backup/backup-file.ts';
import { connect } from '../backends/connection.ts';
import { fragmentsOf, manifestWith, type Fragment } from '../format/manifest-text.ts';
import { hasShape, manifestsOf, tableFolder, VERSIONS, type Manifest } from '../format/manifests.ts';
import { rowsOf, type RawRow } from '../format/rows.ts';
import { refuseFaults } from '../errors/store-error.ts';

/** Rows read together if a fragment is only partly readable. */
const BLOCK_ROWS = 1024;

/** The table to read, and where. */
interface TableToSalvage {
  readonly storePath: string;
  readonly name: string;
  /** A folder for temporary files on the disk of the store; emptied repeatedly. */
  readonly work: string;
  /** Derived columns: a row is useful without them. */
  readonly isDerived: (column: string) => boolean;
  /** Files that may be readable but have wrong contents, by path relative to the store. */
  readonly wrong?: ReadonlySet<string>;
}

/** The readable identification of an unreadable row. */
export interface LostRow {
  readonly id: string;
  /** Undefined if they cannot be read either. */
  readonly writtenAt: number | undefined;
  readonly contentHash: string | undefined;
}

/** Readable rows, and whether they may include deleted ones. */
interface Salvaged {
  readonly batches: readonly RecordBatch[];
  /** Whether their file has wrong contents, so that nothing in them is certain. */
  readonly isWrong: boolean;
  /** Unreadable rows, as far as they can be identified. */
  readonly lost: readonly LostRow[];
  /** Number of deleted rows, if the file that identifies them cannot be read. */
  readonly deletedAmong: number;
}

/** The unreadable parts of a table. */
export interface TableDamage {
  readonly table: string;
  /** Rows, without deleted ones. */
  readonly rows: number;
  readonly unreadableRows: number;
  /** Number of deleted rows whose identity is lost. */
  readonly deletedAmong: number;
  /** Path relative to the store folder. */
  readonly files: readonly string[];
  /** Unreadable versions. */
  readonly versions: number;
}

/**
 * Reads one table fragment by fragment, so that damage in one does not affect the others. Does not change the store: it opens each
 * fragment as a separate table, through hard links in a work folder.
 */
export class TableSalvage {
  readonly name: string;
  readonly #storePath: string;
  readonly #work: string;
  readonly #isDerived: (column: string) => boolean;
  readonly #wrong: ReadonlySet<string>;
  #manifest: Buffer | undefined;
  #manifestName = '';
  #damage: { rows: number; unreadableRows: number; deletedAmong: number; files: string[]; versions: number };

  constructor({ storePath, name, work, isDerived, wrong = new Set() }: TableToSalvage) {
    this.name = name;
    this.#wrong = wrong;
    this.#isDerived = isDerived;
    this.#storePath = storePath;
    this.#work = work;
    this.#damage = { rows: 0, unreadableRows: 0, deletedAmong: 0, files: [], versions: 0 };
  }

  /** The damage found by `fragments`, after it is done. */
  get damage(): TableDamage {
    return { table: this.name, ...this.#damage };
  }

  /** Finds the version to read: this one, or the newest readable one before it. Resolves with its schema, or undefined for none. */
  async begin(secured: number | undefined): Promise<Schema | undefined> {
    const { name, damage } = { name: this.name, damage: this.#damage };
    const known = manifestsOf(this.#storePath, name).filter(({ version }) => secured === undefined || version <= secured);
    const wrong = known.filter((manifest) => this.#isWrong(`${VERSIONS}/${manifest.name}`));
    // Versions with wrong contents are used only if no other can be read.
    for (const manifest of [...known.filter((other) => !wrong.includes(other)), ...wrong]) {
      const schema = await this.#schemaOf(manifest);
      if (wrong.includes(manifest)) damage.files.push(`${tableFolder(name)}/${VERSIONS}/${manifest.name}`);
      if (schema !== undefined && known[0] !== manifest) damage.versions = Math.max(damage.versions, 1);
      if (schema !== undefined) return schema;
      damage.versions += 1;
    }
    return undefined;
  }

  /** Whether a file of the table was altered. */
  #isWrong(file: string): boolean {
    return this.#wrong.has(`${tableFolder(this.name)}/${file}`);
  }

  /** The readable rows, fragments with known deletions first. */
  async *fragments(): AsyncGenerator<Salvaged> {
    if (this.#manifest === undefined) return;
    const all = fragmentsOf(this.#manifest).map((fragment) => ({ fragment, knowsDeleted: this.#knowsDeleted(fragment) }));
    for (const { fragment, knowsDeleted } of all.toSorted((a, b) => Number(b.knowsDeleted) - Number(a.knowsDeleted))) {
      yield await this.#read(fragment, knowsDeleted);
    }
  }

  async #schemaOf(manifest: Manifest): Promise<Schema | undefined> {
    try {
      if (!hasShape(this.#storePath, this.name, manifest)) return undefined;
      this.#manifest = readFileSync(path.join(this.#storePath, tableFolder(this.name), VERSIONS, manifest.name));
      this.#manifestName = manifest.name;
      return await this.#with(undefined, true, (table) => table.schema());
    } catch (error) {
      refuseDamage(error);
      this.#manifest = undefined;
      return undefined;
    }
  }

  #knowsDeleted({ deletions }: Fragment): boolean {
    if (deletions === undefined) return true;
    if (this.#isWrong(deletions.file)) return false;
    try {
      return statSync(this.#fileOf(deletions.file)).size > 0;
    } catch {
      return false;
    }
  }

  async #read(fragment: Fragment, knowsDeleted: boolean): Promise<Salvaged> {
    const whole = await this.#readAll(fragment, knowsDeleted);
    if (whole !== undefined) return this.#note(fragment, whole, knowsDeleted);
    // The file of deletions may exist and have wrong contents.
    if (knowsDeleted && fragment.deletions !== undefined) {
      const undeleted = await this.#readAll(fragment, false);
      if (undeleted !== undefined) return this.#note(fragment, undeleted, false);
    }
    const { batches, lost } = await this.#readParts(fragment, knowsDeleted);
    if (batches.length > 0 || !knowsDeleted || fragment.deletions === undefined) return this.#note(fragment, batches, knowsDeleted, lost);
    // Or both: then every block fails, whatever it contains.
    const undeleted = await this.#readParts(fragment, false);
    return this.#note(fragment, undeleted.batches, undeleted.batches.length === 0, undeleted.lost);
  }

  /** The readable blocks; without the deletions, no block depends on that file. */
  async #readParts(fragment: Fragment, withDeletions: boolean): Promise<Blocks> {
    try {
      return await this.#with(fragment, withDeletions, (table) => readBlocks(table, this.#isDerived));
    } catch (error) {
      refuseDamage(error);
      return { batches: [], lost: [] };
    }
  }

  async #readAll(fragment: Fragment, withDeletions: boolean): Promise<RecordBatch[] | undefined> {
    try {
      return await this.#with(fragment, withDeletions, (table) => readWhole(table));
    } catch (error) {
      refuseDamage(error);
      return undefined;
    }
  }

  #note(fragment: Fragment, batches: readonly RecordBatch[], knowsDeleted: boolean, lost: readonly LostRow[] = []): Salvaged {
    const deleted = fragment.deletions?.rows ?? 0;
    const live = fragment.rows - deleted;
    const found = batches.reduce((sum, { numRows }) => sum + numRows, 0);
    const unreadable = (knowsDeleted ? live : fragment.rows) - found;
    const deletedAmong = knowsDeleted ? 0 : deleted;
    this.#damage.rows += live;
    this.#damage.unreadableRows += Math.min(unreadable, live);
    this.#damage.deletedAmong += deletedAmong;
    const isWrong = fragment.files.some((file) => this.#isWrong(file));
    const damaged = fragment.files.filter((file) => unreadable > 0 || this.#isWrong(file));
    this.#damage.files.push(...damaged.map((file) => `${tableFolder(this.name)}/${file}`));
    if (!knowsDeleted && fragment.deletions !== undefined) this.#damage.files.push(`${tableFolder(this.name)}/${fragment.deletions.file}`);
    return { batches, isWrong, lost: knowsDeleted ? lost : [], deletedAmong };
  }

  /** Opens a fragment as a separate table. */
  async #with<T>(fragment: Fragment | undefined, withDeletions: boolean, use: (table: Table) => Promise<T>): Promise<T> {
    const scratch = path.join(this.#work, 'fragment');
    rmSync(scratch, { recursive: true, force: true });
    const folder = path.join(scratch, tableFolder(this.name));
    mkdirSync(path.join(folder, VERSIONS), { recursive: true, mode: 0o700 });
    const manifest = manifestWith(this.#manifest ?? Buffer.alloc(0), fragment, { withDeletions });
    writeFileSync(path.join(folder, VERSIONS, this.#manifestName), manifest, { mode: 0o600 });
    const deletions = withDeletions && fragment?.deletions !== undefined ? [fragment.deletions.file] : [];
    for (const file of [...(fragment?.files ?? []), ...deletions]) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true, mode: 0o700 });
      await linkOrCopy(this.#fileOf(file), path.join(folder, file)).catch(ignoreMissing);
    }
    const connection = await connect(scratch);
    try {
      return await use(await connection.openTable(this.name));
    } finally {
      connection.close();
    }
  }

  #fileOf(file: string): string {
    return path.join(this.#storePath, tableFolder(this.name), file);
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Rethrows temporary system errors. An unreadable sector counts as damage. */
export function refuseDamage(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (!/os error 5\b|\bEIO\b/.test(text)) refuseFaults('read the store')(error);
}

async function readWhole(table: Table): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of table.query()) batches.push(batch);
  return batches;
}

interface Blocks {
  readonly batches: readonly RecordBatch[];
  readonly lost: readonly LostRow[];
}

/** Identifying columns of rows, largest set first. */
const TELLING = [['id', 'written_at', 'content_hash'], ['id']] as const;

/** Reads as much as possible: block by block, and damaged blocks in halves. */
async function readBlocks(table: Table, isDerived: (column: string) => boolean): Promise<Blocks> {
  const rows = await table.countRows();
  const names = (await table.schema()).fields.map(({ name }) => name);
  const essential = names.filter((name) => !isDerived(name));
  const batches: RecordBatch[] = [];
  const lost: LostRow[] = [];
  const take = async (from: number, to: number, columns?: readonly string[]): Promise<RecordBatch[] | undefined> => {
    const query = table.takeOffsets(Array.from({ length: to - from }, (_, nth) => from + nth));
    try {
      const found: RecordBatch[] = [];
      for await (const batch of columns === undefined ? query : query.select([...columns])) found.push(batch);
      return found;
    } catch (error) {
      refuseDamage(error);
      return undefined;
    }
  };
  const name = async (from: number, to: number): Promise<void> => {
    for (const columns of TELLING) {
      const found = columns.every((column) => names.includes(column)) ? await take(from, to, columns) : undefined;
      if (found === undefined) continue;
      lost.push(...found.flatMap((batch) => rowsOf(batch, columns).map(lostRow)));
      return;
    }
  };
  const read = async (from: number, to: number): Promise<void> => {
    const found = (await take(from, to)) ?? (await take(from, to, essential));
    if (found !== undefined) batches.push(...found);
    else if (to - from === 1) await name(from, to);
    else {
      const middle = Math.floor((from + to) / 2);
      await read(from, middle);
      await read(middle, to);
    }
  };
  for (let from = 0; from < rows; from += BLOCK_ROWS) await read(from, Math.min(from + BLOCK_ROWS, rows));
  return { batches, lost };
}

function lostRow({ id, written_at: writtenAt, content_hash: hash }: RawRow): LostRow {
  return {
    id: String(id),
    writtenAt: typeof writtenAt === 'number' ? writtenAt : undefined,
    contentHash: typeof hash === 'string' ? hash : undefined,
  };
}
