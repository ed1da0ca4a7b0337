import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { backupPlace, requireBackupPlace, VERSION } from './app.ts';
import { liveHolder, notesFolder, storeAbilities } from './holder.ts';
import type { LoadedConfig } from './config/load.ts';
import { localModelFiles } from './embeddings/model-files.ts';
import { StoredBackups } from './service/backups/stored-backups.ts';
import { backupStorage } from './store/backends/backup-places.ts';
import { readHead } from './store/format/checkpoint.ts';
import { kindOf, placeOf, wrongFiles, type FileKind } from './store/recovery/file-check.ts';
import { quarantined } from './store/files/quarantine.ts';
import { readUnfinishedRename, type UnfinishedRename } from './store/files/unfinished-rename.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

/** Of the programs at work. */
export interface Versions {
  readonly lore: string;
  readonly node: string;
  readonly lanceDb: string;
}

/** What is known of a store without opening it. */
export interface Inspection {
  /** The live process that has it open; absent where there is none. */
  readonly holder?: { readonly pid: number; readonly url?: string };
  /** Of the store; absent in one that is new, or older than the file that says so. */
  readonly format?: number;
  /** A namespace that is being renamed, or whose renaming was cut short. */
  readonly rename?: UnfinishedRename;
  /** Folders with what could not be read when the store was opened, oldest first; absent where there are none. */
  readonly quarantine?: readonly string[];
  /** Whether it lies on a disk of this machine. */
  readonly onDisk: boolean;
  /** Where its backups are: a folder, or a URI. Absent where nothing says so. */
  readonly backupFolder?: string;
  /** Only for the local embedder. */
  readonly model?: { readonly name: string; readonly folder: string; readonly isThere: boolean };
}

/** Versions of Lore, of Node and of LanceDB as they are installed. */
export function versions(): Versions {
  const entry = createRequire(import.meta.url).resolve('@lancedb/lancedb');
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8')) as { version: string };
  return { lore: VERSION, node: process.versions.node, lanceDb: version };
}

/** The backups of a store, read without it. Throws `conflict` where none can be made of it. */
export function storedBackups(loaded: Pick<LoadedConfig, 'config'>): StoredBackups {
  return new StoredBackups(backupStorage(requireBackupPlace(loaded)));
}

/** Looks at the files around a store. Opens and changes nothing. */
export async function inspect({ config }: Pick<LoadedConfig, 'config'>): Promise<Inspection> {
  const holder = liveHolder({ config });
  const { onDisk } = storeAbilities({ config });
  const notes = notesFolder({ config });
  const format = formatOf(notes);
  const rename = await readUnfinishedRename(notes);
  const quarantine = quarantined(notes);
  const backups = backupPlace({ config });
  const { provider, model, cacheDir, localModelPath } = config.embeddings;
  return {
    ...(holder !== undefined && { holder: { pid: holder.pid, ...withoutUndefined({ url: holder.url }) } }),
    ...withoutUndefined({ format, rename }),
    ...(quarantine.length > 0 && { quarantine }),
    onDisk,
    ...(backups !== undefined && { backupFolder: backups.location }),
    ...(provider === 'local' && {
      model: { name: model, folder: cacheDir, isThere: localModelFiles({ model, cacheDir, localModelPath }) },
    }),
  };
}

/** A file of the store that is not what was written. */
export interface WrongStoreFile {
  /** Below the store. */
  readonly path: string;
  readonly kind: FileKind;
}

/** Compares the files of a store in a folder with their checksums; none where it lies elsewhere. Opens nothing; another process may have it open. */
export async function wrongStoreFiles({ config }: Pick<LoadedConfig, 'config'>): Promise<WrongStoreFile[]> {
  if (!storeAbilities({ config }).onDisk) return [];
  return (await wrongFiles(config.storage.path)).map((file) => ({ path: placeOf(file), kind: kindOf(file) }));
}

/** A damaged file is for anyone who opens the store to report. */
function formatOf(storePath: string): number | undefined {
  try {
    return readHead(storePath).format;
  } catch {
    return undefined;
  }
}
