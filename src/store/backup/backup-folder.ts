import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import type { StoreCopy } from './backup.ts';
import { fileSum, linkOrCopy, readFileCopy, writeFileCopy } from './backup-file.ts';
import { manifestFile, newManifest, readManifest, type BackupFile, type BackupManifest } from './backup-manifest.ts';
import { HEAD_FILE, headText } from '../format/checkpoint.ts';
import { asStoreError, isDiskFull } from '../errors/store-error.ts';
import { isSum, sumOf, type FileSum } from '../files/file-sum.ts';
import { replaceFile, syncFolder, TreeSync } from '../files/sync.ts';

/** A whole backup in the folder of backups. */
export interface StoredBackup {
  readonly name: string;
  readonly manifest: BackupManifest;
}

export interface BackupOrder {
  readonly kind: BackupManifest['kind'];
  readonly compress: boolean;
  /** Version of Lore. */
  readonly version: string;
  /** Files that it holds already are linked instead of being written again. */
  readonly previous?: StoredBackup | undefined;
}

/** The instant that a backup shows, as a file name; nothing else names one. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
const UNFINISHED = '.partial';
/** Written again for each version, so the same name and size do not mean the same text. */
const VERSIONS = '/_versions/';

/** The backups of one store, each a folder of files and a manifest with their checksums, written under another name until it is whole. */
export class BackupFolder {
  readonly path: string;

  constructor(folder: string) {
    this.path = folder;
  }

  /** Those that are whole, newest first. Rejects with `unavailable` where the folder cannot be read. */
  async list(): Promise<StoredBackup[]> {
    const names = await readdir(this.path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      return refuse('read the backups')(error);
    });
    const found = await Promise.all(
      names.filter((name) => NAME.test(name)).map(async (name) => ({ name, manifest: await readManifest(path.join(this.path, name)) })),
    );
    const whole = found.flatMap(({ name, manifest }) => (typeof manifest === 'object' ? [{ name, manifest }] : []));
    return whole.toSorted((a, b) => (a.name < b.name ? 1 : -1));
  }

  /** Rejects with `not_found`, also for what could be no name; with `filesystem` where its manifest cannot be read. */
  async get(name: string): Promise<StoredBackup> {
    const manifest = NAME.test(name) ? await readManifest(path.join(this.path, name)) : undefined;
    if (manifest === undefined) {
      throw new LoreError('not_found', `There is no backup ${JSON.stringify(name.slice(0, 100))}.`, {
        hint: '`lore backup list` lists them.',
      });
    }
    if (typeof manifest === 'string') throw new LoreError('filesystem', `The backup ${name} cannot be read: ${manifest}.`);
    return { name, manifest };
  }

  /** Writes a copy down. It is there whole, synced to the disk, once this resolves; where it rejects nothing of it is left. */
  async write(copy: StoreCopy, order: BackupOrder): Promise<StoredBackup> {
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      await this.#dropUnfinished();
      const name = await this.#freeName(copy.takenAt);
      const draft = path.join(this.path, `${name}${UNFINISHED}`);
      const manifest = await this.#fill(draft, copy, order);
      await rename(draft, path.join(this.path, name));
      await syncFolder(this.path);
      return { name, manifest };
    } catch (error) {
      await this.#dropUnfinished().catch(() => undefined);
      return refuse('write the backup')(error);
    }
  }

  /** What is missing or damaged, in plain words. Reads every byte. */
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

  /** Makes a store of a backup in a folder that is not there yet. Shares no file with the backup. Synced to the disk when it resolves. */
  async unpack({ name, manifest }: StoredBackup, into: string): Promise<void> {
    try {
      await mkdir(into, { recursive: true, mode: 0o700 });
      for (const file of manifest.files) {
        const target = path.join(into, file.path);
        const sha256 = await readFileCopy(this.#fileOf(name, manifest, file), target, { gzip: manifest.compressed });
        if (sha256 !== file.sha256) throw new LoreError('filesystem', `The backup ${name} is damaged: ${file.path}.`);
      }
      await new TreeSync(into).run();
      await syncFolder(path.dirname(into));
    } catch (error) {
      asStoreError('read the backup')(error);
    }
  }

  /** Makes of a backup what can be made of those of its files that are intact, in a folder that is not there yet. Nothing is synced. */
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

  /** Writes a file of this path and with this sum to another place, from the newest backup that has it intact. Resolves with the name of that one. */
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
    if (!NAME.test(name)) return;
    // Under the other name first: a removal that is cut short must not leave something that looks whole.
    const going = path.join(this.path, `${name}${UNFINISHED}`);
    await rename(path.join(this.path, name), going).catch(asStoreError('remove an old backup'));
    await rm(going, { recursive: true, force: true }).catch(asStoreError('remove an old backup'));
  }

  async #fill(draft: string, copy: StoreCopy, order: BackupOrder): Promise<BackupManifest> {
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
    const head = path.join(draft, stored(HEAD_FILE, order.compress));
    const text = path.join(draft, `${HEAD_FILE}${UNFINISHED}`);
    await writeFile(text, headText({ entries: copy.versions.map((version) => ({ version })) }), { mode: 0o600 });
    const { size } = await stat(text);
    files.push({ path: HEAD_FILE, bytes: size, sha256: await writeFileCopy(text, head, { bytes: size, gzip: order.compress }) });
    await rm(text);
    const manifest = newManifest({
      lore: order.version,
      createdAt: new Date(copy.takenAt).toISOString(),
      kind: order.kind,
      compressed: order.compress,
      entries: copy.entries,
      storedBytes,
      files,
    });
    await new TreeSync(draft).run();
    await replaceFile(manifestFile(draft), `${JSON.stringify(manifest, undefined, 1)}\n`, { synced: true });
    return manifest;
  }

  /** Links a file that the previous backup has; its names are given once and its text never changes. Resolves with its sum. */
  async #linkKnown(file: StoreCopy['files'][number], target: string, { previous, compress }: BackupOrder): Promise<string | undefined> {
    if (previous === undefined || !file.isFinal || file.path.includes(VERSIONS) || previous.manifest.compressed !== compress)
      return undefined;
    const known = previous.manifest.files.find(({ path: place }) => place === file.path);
    if (known?.bytes !== file.bytes) return undefined;
    // Read all the same: what the disk has damaged since would be handed on as if it was right.
    if (file.sum !== undefined && (known.sha256 !== file.sum.sha256 || !isSum(file.sum, await sumOf(file.at)))) return undefined;
    return await link(this.#fileOf(previous.name, previous.manifest, known), target).then(
      () => known.sha256,
      () => undefined,
    );
  }

  #fileOf(name: string, { compressed }: BackupManifest, file: BackupFile): string {
    return path.join(this.path, name, stored(file.path, compressed));
  }

  /** Two copies of one millisecond are told apart. */
  async #freeName(takenAt: number): Promise<string> {
    const taken = new Set(await readdir(this.path));
    let at = takenAt;
    while (taken.has(nameOf(at))) at += 1;
    return nameOf(at);
  }

  /** What a process that was killed, or a full disk, left half done. */
  async #dropUnfinished(): Promise<void> {
    for (const name of await readdir(this.path)) {
      if (name.endsWith(UNFINISHED) && NAME.test(name.slice(0, -UNFINISHED.length))) {
        await rm(path.join(this.path, name), { recursive: true, force: true });
      }
    }
  }
}

/** The place of the backups has no rights of its own to look at: it need not be that of the store. */
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
  new LoreError('filesystem', `${file} of the store is not what was written; a backup would hold it as if it was right.`, {
    hint: 'Stop the server and run `lore doctor --repair`. Earlier backups are kept.',
  });

const nameOf = (epochMs: number): string => new Date(epochMs).toISOString().replaceAll(':', '-');
const stored = (file: string, compressed: boolean): string => (compressed ? `${file}.gz` : file);

async function writeOne(file: StoreCopy['files'][number], target: string, gzip: boolean): Promise<string> {
  if (gzip || !file.isFinal) return await writeFileCopy(file.at, target, { bytes: file.bytes, gzip });
  await linkOrCopy(file.at, target);
  return (await sumOf(target)).sha256;
}
