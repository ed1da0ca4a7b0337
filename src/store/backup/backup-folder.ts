import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LoreError } from '../../memory/errors.ts';
import type { StoreCopy } from './backup.ts';
import { fileSum, linkOrCopy, readFileCopy, writeFileCopy, writeText } from './backup-file.ts';
import {
  backupName,
  backupOf,
  isBackupName,
  manifestFile,
  newManifest,
  readManifest,
  shownBy,
  type BackupFile,
  type BackupManifest,
  type StoredBackup,
} from './backup-manifest.ts';
import { ABANDONED_AFTER_MS, EXPORT_FILE, type BackupStorage, type ExportCopy, type ExportBackupRequest } from './backup-storage.ts';
import { CHECKPOINT_FILE, checkpointText } from '../format/checkpoint.ts';
import { asStoreError, isDiskFull } from '../errors/store-error.ts';
import { isSum, sumOf, type FileSum } from '../files/file-sum.ts';
import { replaceFile, syncFolder, FolderSync } from '../files/sync.ts';

export interface BackupRequest {
  readonly kind: BackupManifest['kind'];
  readonly compress: boolean;
  /** Version of Lore. */
  readonly version: string;
  /** The previous backup; its files are linked instead of copied. */
  readonly previous?: StoredBackup | undefined;
}

const UNFINISHED = '.partial';
/** Rewritten for each version, so the same name and size do not mean the same contents. */
const VERSIONS = '/_versions/';

/**
 * The backups of one store: each is a folder with files and a manifest of their checksums, written under a temporary name until it is
 * complete.
 */
export class BackupFolder implements BackupStorage {
  readonly path: string;

  constructor(folder: string) {
    this.path = folder;
  }

  /** Complete backups, newest first. Rejects with `unavailable` if the folder cannot be read. */
  async list(most = Infinity): Promise<StoredBackup[]> {
    const names = await readdir(this.path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      return refuse('read the backups')(error);
    });
    const found = await Promise.all(
      names.filter(isBackupName).map(async (name) => ({ name, manifest: await readManifest(path.join(this.path, name)) })),
    );
    const whole = found.flatMap(({ name, manifest }) => (typeof manifest === 'object' ? [{ name, manifest }] : []));
    return whole.toSorted((a, b) => (a.name < b.name ? 1 : -1)).slice(0, most);
  }

  /** Rejects with `not_found`, also for an invalid name; with `filesystem` if its manifest cannot be read. */
  async get(name: string): Promise<StoredBackup> {
    return backupOf(name, isBackupName(name) ? await readManifest(path.join(this.path, name)) : undefined);
  }

  /** Writes a backup. When this resolves, it is complete and synced; if it rejects, nothing is left. */
  async write(copy: StoreCopy, order: BackupRequest): Promise<StoredBackup> {
    // Only one process uses the store, so every unfinished backup is abandoned.
    return await this.#writeAtomically(copy, 0, (draft) => this.#fill(draft, copy, order));
  }

  /** The same for an export; other servers may be writing theirs here. */
  async writeExport(copy: ExportCopy, order: ExportBackupRequest): Promise<StoredBackup> {
    return await this.#writeAtomically(copy, ABANDONED_AFTER_MS, (draft) => this.#fillExport(draft, copy, order));
  }

  /** The contents of one of its files. */
  async *read({ name, manifest }: StoredBackup, file: BackupFile): AsyncGenerator<Uint8Array> {
    const source = createReadStream(this.#fileOf(name, manifest, file));
    // Errors of either side reach the reader.
    yield* manifest.compressed ? pipeline(source, createGunzip(), () => undefined) : source;
  }

  async #writeAtomically(
    { takenAt }: { readonly takenAt: number },
    abandonedAfterMs: number,
    fill: (draft: string) => Promise<BackupManifest>,
  ): Promise<StoredBackup> {
    let draft: string | undefined;
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      await this.#dropUnfinished(abandonedAfterMs);
      const name = await this.#freeName(takenAt);
      draft = path.join(this.path, `${name}${UNFINISHED}`);
      const manifest = await fill(draft);
      await rename(draft, path.join(this.path, name));
      await syncFolder(this.path);
      return { name, manifest };
    } catch (error) {
      if (draft !== undefined) await rm(draft, { recursive: true, force: true }).catch(() => undefined);
      return refuse('write the backup')(error);
    }
  }

  /** Missing or damaged files, one sentence each. Reads every byte. */
  async problems({ name, manifest }: StoredBackup): Promise<string[]> {
    const problems: string[] = [];
    for (const file of manifest.files) {
      const sum = await fileSum(this.#fileOf(name, manifest, file), { gzip: manifest.compressed }).catch((error: unknown) =>
        (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'damaged',
      );
      if (typeof sum === 'string') problems.push(`${file.path} is ${sum}`);
      else if (sum.sha256 !== file.sha256 || sum.bytes !== file.bytes) problems.push(`${file.path} is damaged`);
    }
    return problems;
  }

  /** Builds a store from a backup in a new folder, without shared files. Synced when it resolves. */
  async unpack({ name, manifest }: StoredBackup, into: string): Promise<void> {
    try {
      await mkdir(into, { recursive: true, mode: 0o700 });
      for (const file of manifest.files) {
        const target = path.join(into, file.path);
        const sha256 = await readFileCopy(this.#fileOf(name, manifest, file), target, { gzip: manifest.compressed });
        if (sha256 !== file.sha256) throw new LoreError('filesystem', `The backup ${name} is damaged: ${file.path}.`);
      }
      await new FolderSync(into).run();
      await syncFolder(path.dirname(into));
    } catch (error) {
      asStoreError('read the backup')(error);
    }
  }

  /** Builds a store in a new folder from the intact files of a backup. Does not sync. */
  async unpackIntact({ name, manifest }: StoredBackup, into: string): Promise<void> {
    await mkdir(into, { recursive: true, mode: 0o700 }).catch(asStoreError('read the backup'));
    for (const file of manifest.files) {
      const target = path.join(into, file.path);
      const from = this.#fileOf(name, manifest, file);
      const sha256 = await readFileCopy(from, target, { gzip: manifest.compressed }).catch((error: unknown) => {
        if (isDiskFull(error)) asStoreError('read the backup')(error);
        return undefined;
      });
      if (sha256 !== file.sha256) await rm(target, { force: true });
    }
  }

  /**
   * Restores a file with this path and checksum to another location, from the newest backup that has it intact. Resolves with the name of
   * the backup.
   */
  async takeOut(wanted: { readonly path: string; readonly sum: FileSum }, to: string): Promise<string | undefined> {
    for (const { name, manifest } of await this.list()) {
      const file = manifest.files.find(({ path: place, sha256 }) => place === wanted.path && sha256 === wanted.sum.sha256);
      if (file === undefined) continue;
      const sha256 = await readFileCopy(this.#fileOf(name, manifest, file), to, { gzip: manifest.compressed }).catch(() => undefined);
      if (sha256 === file.sha256) return name;
    }
    return undefined;
  }

  async remove(name: string): Promise<void> {
    if (!isBackupName(name)) return;
    // Renamed first: an interrupted removal must not leave a backup that looks complete.
    const going = path.join(this.path, `${name}${UNFINISHED}`);
    await rename(path.join(this.path, name), going).catch(asStoreError('remove an old backup'));
    await rm(going, { recursive: true, force: true }).catch(asStoreError('remove an old backup'));
  }

  async #fill(draft: string, copy: StoreCopy, order: BackupRequest): Promise<BackupManifest> {
    const files: BackupFile[] = [];
    let storedBytes = 0;
    for (const file of copy.files) {
      const target = path.join(draft, stored(file.path, order.compress));
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      const known = await this.#linkKnown(file, target, order);
      const sha256 = known ?? (await writeOne(file, target, order.compress));
      if (file.sum !== undefined && sha256 !== file.sum.sha256) throw wrongFile(file.path);
      files.push({ path: file.path, bytes: file.bytes, sha256 });
      storedBytes += (await stat(target)).size;
    }
    const checkpoint = path.join(draft, stored(CHECKPOINT_FILE, order.compress));
    const text = path.join(draft, `${CHECKPOINT_FILE}${UNFINISHED}`);
    await writeFile(text, checkpointText({ entries: copy.versions.map((version) => ({ version })) }), { mode: 0o600 });
    const { size } = await stat(text);
    files.push({
      path: CHECKPOINT_FILE,
      bytes: size,
      sha256: await writeFileCopy(text, checkpoint, { bytes: size, gzip: order.compress }),
    });
    await rm(text);
    return await sealed(draft, { copy, order, compressed: order.compress, storedBytes, files });
  }

  async #fillExport(draft: string, copy: ExportCopy, order: ExportBackupRequest): Promise<BackupManifest> {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const target = path.join(draft, stored(EXPORT_FILE, true));
    const sum = await writeText(copy.text(), target);
    const file = { path: EXPORT_FILE, ...sum };
    return await sealed(draft, { copy, order, compressed: true, storedBytes: (await stat(target)).size, files: [file] });
  }

  /** Links a file of the previous backup; file names are unique and contents never change. Resolves with its checksum. */
  async #linkKnown(file: StoreCopy['files'][number], target: string, { previous, compress }: BackupRequest): Promise<string | undefined> {
    if (previous === undefined || !file.isFinal || file.path.includes(VERSIONS) || previous.manifest.compressed !== compress)
      return undefined;
    const known = previous.manifest.files.find(({ path: place }) => place === file.path);
    if (known?.bytes !== file.bytes) return undefined;
    // Read and compared anyway: otherwise damage on the disk would be passed on as correct.
    if (file.sum !== undefined && (known.sha256 !== file.sum.sha256 || !isSum(file.sum, await sumOf(file.at)))) return undefined;
    return await link(this.#fileOf(previous.name, previous.manifest, known), target).then(
      () => known.sha256,
      () => undefined,
    );
  }

  #fileOf(name: string, { compressed }: BackupManifest, file: BackupFile): string {
    return path.join(this.path, name, stored(file.path, compressed));
  }

  /** Gives two backups of the same millisecond different names. */
  async #freeName(takenAt: number): Promise<string> {
    const taken = new Set(await readdir(this.path));
    let at = takenAt;
    while (taken.has(backupName(at))) at += 1;
    return backupName(at);
  }

  /** Removes unfinished backups of a killed process or a full disk. */
  async #dropUnfinished(abandonedAfterMs: number): Promise<void> {
    for (const file of await readdir(this.path)) {
      const name = file.slice(0, -UNFINISHED.length);
      if (!file.endsWith(UNFINISHED) || !isBackupName(name) || Date.now() - shownBy(name) < abandonedAfterMs) continue;
      await rm(path.join(this.path, file), { recursive: true, force: true });
    }
  }
}

interface Filled {
  readonly copy: { readonly takenAt: number; readonly entries: number };
  readonly order: ExportBackupRequest;
  readonly compressed: boolean;
  readonly storedBytes: number;
  readonly files: readonly BackupFile[];
}

/** Writes the manifest after everything else is on the disk. */
async function sealed(draft: string, { copy, order, ...facts }: Filled): Promise<BackupManifest> {
  const { kind, version } = order;
  const manifest = newManifest({ lore: version, createdAt: new Date(copy.takenAt).toISOString(), kind, entries: copy.entries, ...facts });
  await new FolderSync(draft).run();
  await replaceFile(manifestFile(draft), `${JSON.stringify(manifest, undefined, 1)}\n`, { synced: true });
  return manifest;
}

/** The folder of backups has its own location and permissions, independent of the store. */
function refuse(action: string): (cause: unknown) => never {
  return (cause) => {
    if (!UNUSABLE.has((cause as NodeJS.ErrnoException).code ?? '')) return asStoreError(action)(cause);
    throw new LoreError('unavailable', `Could not ${action}. The folder of the backups cannot be used.`, {
      cause,
      hint: 'Give this user the rights to it, or set storage.backupPath to another folder.',
    });
  };
}

const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

const wrongFile = (file: string): LoreError =>
  new LoreError('filesystem', `${file} of the store was altered; a backup would include the damage.`, {
    hint: 'Stop the server and run `lore doctor --repair`. Earlier backups are kept.',
  });

const stored = (file: string, compressed: boolean): string => (compressed ? `${file}.gz` : file);

async function writeOne(file: StoreCopy['files'][number], target: string, gzip: boolean): Promise<string> {
  if (gzip || !file.isFinal) return await writeFileCopy(file.at, target, { bytes: file.bytes, gzip });
  await linkOrCopy(file.at, target);
  return (await sumOf(target)).sha256;
}
