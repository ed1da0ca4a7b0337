import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKSUMS_FILE, readChecksums, writeChecksums, type StoreSums, type VersionSums } from '../files/checksums.ts';
import { isSum, sumOf, type FileSum } from '../files/file-sum.ts';
import type { Quarantine } from '../files/quarantine.ts';
import { replaceFile } from '../files/sync.ts';
import { correctWrongByte } from '../files/wrong-byte.ts';
import { asStoreError } from '../errors/store-error.ts';
import { manifestsOf, tableFolder, VERSIONS } from '../format/manifests.ts';
import { DATA, DELETIONS, filesOfVersion, TRANSACTIONS } from '../format/table-files.ts';

interface Folder {
  readonly path: string;
  /** Whether writes must survive a power cut. */
  readonly synced: boolean;
  readonly quarantine: Quarantine;
}

/** A file of a table in use. */
export interface SummedFile {
  readonly table: string;
  /** Below the folder of the table, with `/`. */
  readonly file: string;
  /** Undefined if it has none yet. */
  readonly sum: FileSum | undefined;
}

/**
 * The checksums of the files of a store in a folder. A table file is written once and never changes, so its checksum is computed once,
 * when the version that needs it becomes durable and its pages are still in memory.
 */
export class FileSums {
  readonly #path: string;
  readonly #synced: boolean;
  #sums: Map<string, readonly VersionSums[]>;
  /** Data files of a store without checksums, by path relative to the store. They get one after their rows were verified. */
  readonly #unproved: Set<string>;
  /** Files whose checksum this process computed or compared, by path relative to the store. */
  readonly #compared = new Set<string>();
  readonly #quarantine: Quarantine;
  #writing: Promise<void> = Promise.resolve();

  private constructor({ path: folder, synced, quarantine }: Folder, sums: StoreSums | undefined) {
    this.#path = folder;
    this.#synced = synced;
    this.#quarantine = quarantine;
    this.#sums = new Map(sums);
    this.#unproved = new Set(sums === undefined ? dataFiles(folder) : []);
  }

  /** Loads the stored checksums. An unreadable file is reported and counts as none. */
  static load(folder: Folder): FileSums {
    try {
      return new FileSums(folder, readChecksums(folder.path));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) asStoreError('open the store')(error);
      const { quarantine } = folder;
      quarantine.move(CHECKSUMS_FILE);
      quarantine.note({
        message: `${CHECKSUMS_FILE} could not be read and is in ${quarantine.place} now; Lore creates it again.`,
        mayLose: false,
      });
      return new FileSums(folder, undefined);
    }
  }

  /**
   * Call before writing to a table: drops checksums of missing files, because a removed version or table may come back under the same
   * name with other contents.
   */
  forgetMissing(table: string): void {
    const isThere = (file: string): boolean => existsSync(path.join(this.#path, tableFolder(table), file));
    const left = (this.#sums.get(table) ?? []).flatMap(({ version, files }): VersionSums[] => {
      const data = [...files.keys()].filter((file) => file.startsWith(`${DATA}/`));
      if (data.length > 0 && !data.some(isThere)) return [];
      return [{ version, files: new Map([...files].filter(([file]) => !file.startsWith(`${VERSIONS}/`) || isThere(file))) }];
    });
    this.#sums.set(table, left);
  }

  /** The checksum of a table file, at the durable version or the previous one. */
  of(table: string, file: string): FileSum | undefined {
    for (const { files } of this.#sums.get(table) ?? []) {
      const sum = files.get(file);
      if (sum !== undefined) return sum;
    }
    return undefined;
  }

  /** The checksum by path relative to the store. */
  at(place: string): FileSum | undefined {
    const [folder = '', ...file] = place.split('/');
    return this.of(path.basename(folder, tableFolder('')), file.join('/'));
  }

  /**
   * Computes missing checksums for the files of these versions, by table; undefined for a missing table. Call before writing the
   * checkpoint. Resolves when they are written; the folder is not synced yet.
   */
  secure(versions: ReadonlyMap<string, number | undefined>): Promise<void> {
    const writing = this.#writing.then(() => this.#secure(versions));
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  /**
   * Call before rows are rewritten: compares the data files from before this process, each once. Otherwise a wrong byte would be copied
   * and get a new checksum. Corrects one wrong byte; more damage is reported, and the original goes to quarantine.
   */
  async compareOnce(): Promise<void> {
    for (const [table, [newest]] of this.#sums) {
      for (const [file, sum] of newest?.files ?? []) {
        const place = `${tableFolder(table)}/${file}`;
        if (!HOLDS_ROWS.test(file) || this.#compared.has(place)) continue;
        const found = await sumOf(path.join(this.#path, place)).catch(() => undefined);
        if (found !== undefined && !isSum(found, sum)) await this.#takeCareOf(place, sum);
        this.#compared.add(place);
      }
    }
  }

  async #takeCareOf(place: string, sum: FileSum): Promise<void> {
    const quarantine = this.#quarantine;
    await quarantine.copy(place);
    const file = path.join(this.#path, place);
    const mended = correctWrongByte(await readFile(file), sum);
    if (mended !== undefined) await replaceFile(file, mended, { synced: this.#synced }).catch(asStoreError('write the store'));
    quarantine.note(
      mended === undefined
        ? {
            message: `${place} was altered; Lore writes its rows again, and any field of its entries may be wrong.`,
            mayLose: true,
          }
        : { message: correctedMessage(place, quarantine), mayLose: false },
    );
  }

  /** Adds missing checksums after all rows were verified, except for these files. */
  prove({ but }: { readonly but: ReadonlySet<string> }): Promise<void> {
    const versions = new Map([...this.#tables()].map((table) => [table, this.#versionOf(table)] as const));
    const writing = this.#writing.then(() => this.#secure(versions, (file) => !but.has(file)));
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  /** All files in use: of the versions with checksums, or else of the newest versions. */
  async inUse(): Promise<SummedFile[]> {
    const found: SummedFile[] = [];
    for (const table of this.#tables()) {
      const files = new Map<string, FileSum | undefined>(this.#sums.get(table)?.[0]?.files);
      for (const file of await this.#filesOf(table, this.#versionOf(table)).catch(() => []))
        if (!files.has(file)) files.set(file, undefined);
      found.push(...[...files].map(([file, sum]) => ({ table, file, sum })));
    }
    return found;
  }

  /** Whether a file is known to be in use with this checksum. */
  isNow({ table, file, sum }: SummedFile): boolean {
    return this.#sums.get(table)?.[0]?.files.get(file) === sum;
  }

  /** The manifest of the version of a table in use. */
  manifestOf(table: string): string | undefined {
    const version = this.#versionOf(table);
    const manifest = manifestsOf(this.#path, table).find((candidate) => candidate.version === version);
    return manifest && `${VERSIONS}/${manifest.name}`;
  }

  /** The checksums of a version of a table; empty if there are none. */
  filesOf(table: string, version: number | undefined): ReadonlyMap<string, FileSum> {
    return this.#sums.get(table)?.find((known) => known.version === version)?.files ?? new Map<string, FileSum>();
  }

  async #secure(versions: ReadonlyMap<string, number | undefined>, isProved?: (file: string) => boolean): Promise<void> {
    const next = new Map(this.#sums);
    for (const [table, version] of versions) {
      if (version === undefined) next.delete(table);
      else if (isProved !== undefined || next.get(table)?.[0]?.version !== version)
        await this.#sum(next, { table, version, isProved: isProved ?? (() => false) });
    }
    for (const table of next.keys()) if (!existsSync(path.join(this.#path, tableFolder(table)))) next.delete(table);
    await writeChecksums(this.#path, next, { synced: this.#synced }).catch(asStoreError('write the store'));
    this.#sums = next;
  }

  async #sum(
    sums: Map<string, readonly VersionSums[]>,
    { table, version, isProved }: { table: string; version: number; isProved: (file: string) => boolean },
  ): Promise<void> {
    const files = new Map<string, FileSum>();
    for (const file of await this.#filesOf(table, version).catch(asStoreError('sum the files of the store'))) {
      const place = `${tableFolder(table)}/${file}`;
      const known = this.of(table, file);
      if (known === undefined && this.#unproved.has(place) && !isProved(place)) continue;
      files.set(file, known ?? (await sumOf(path.join(this.#path, place)).catch(asStoreError('sum the files of the store'))));
      if (known === undefined) this.#compared.add(place);
      this.#unproved.delete(place);
    }
    const before = sums.get(table)?.find((other) => other.version !== version);
    sums.set(table, [{ version, files }, ...(before === undefined ? [] : [before])]);
  }

  async #filesOf(table: string, version: number | undefined): Promise<string[]> {
    const manifest = manifestsOf(this.#path, table).find((candidate) => candidate.version === version);
    if (manifest === undefined) return [];
    const files = await filesOfVersion(this.#path, tableFolder(table), manifest.name);
    // The commit message for concurrent writers; no read depends on it.
    return files.filter((file) => !file.startsWith(`${TRANSACTIONS}/`));
  }

  #versionOf(table: string): number | undefined {
    return this.#sums.get(table)?.[0]?.version ?? manifestsOf(this.#path, table)[0]?.version;
  }

  *#tables(): Iterable<string> {
    for (const folder of foldersOf(this.#path)) if (manifestsOf(this.#path, folder).length > 0) yield folder;
  }
}

const HOLDS_ROWS = new RegExp(`^(?:${DATA}|${DELETIONS})/`);

/** The message for a file that had one wrong byte. */
export const correctedMessage = (place: string, quarantine: Quarantine): string =>
  `${place} had a wrong byte, corrected from its checksum; the original is in ${quarantine.place}. Check the disk.`;

/** The names of the tables with a folder. */
function foldersOf(storePath: string): string[] {
  if (!existsSync(storePath)) return [];
  return readdirSync(storePath).flatMap((folder) => {
    const name = path.basename(folder, tableFolder(''));
    return name !== folder && folder === tableFolder(name) ? [name] : [];
  });
}

function dataFiles(storePath: string): string[] {
  return foldersOf(storePath).flatMap((table) => {
    const folder = path.join(storePath, tableFolder(table), DATA);
    return existsSync(folder) ? readdirSync(folder).map((file) => `${tableFolder(table)}/${DATA}/${file}`) : [];
  });
}
