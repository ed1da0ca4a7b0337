import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { backupLocation, requireBackupLocation, VERSION } from './app.ts';
import { liveHolder, localStoreFolder, storeAbilities } from './lock-holder.ts';
import type { LoadedConfig } from './config/load.ts';
import { localModelFiles } from './embeddings/model-files.ts';
import { StoredBackups } from './service/backups/stored-backups.ts';
import { backupStorage } from './store/backends/backup-locations.ts';
import { readCheckpoint } from './store/format/checkpoint.ts';
import { kindOf, pathInStore, wrongFiles, type FileKind } from './store/recovery/file-check.ts';
import { quarantined } from './store/files/quarantine.ts';
import { readUnfinishedRename, type UnfinishedRename } from './store/files/unfinished-rename.ts';
import { withoutUndefined } from './memory/without-undefined.ts';

/** Installed versions. */
export interface Versions {
  readonly lore: string;
  readonly node: string;
  readonly lanceDb: string;
}

/** What can be read about a store without opening it. */
export interface Inspection {
  /** The live process that has the store open; absent if there is none. */
  readonly holder?: { readonly pid: number; readonly url?: string };
  /** Format version of the store; absent if the store is new or older than its checkpoint file. */
  readonly format?: number;
  /** A namespace rename that is running or was interrupted. */
  readonly rename?: UnfinishedRename;
  /** Quarantine folders: files that could not be read when the store was opened, oldest first. Absent if there are none. */
  readonly quarantine?: readonly string[];
  /** Whether the store is in a folder of this machine. */
  readonly onDisk: boolean;
  /** Backup destination: a folder or a URI. Absent if none is configured. */
  readonly backupFolder?: string;
  /** The model files; only for the local embedder. */
  readonly model?: { readonly name: string; readonly folder: string; readonly isThere: boolean };
}

/** Reads the versions of Lore, Node and LanceDB. Does not load LanceDB. */
export function versions(): Versions {
  const entry = createRequire(import.meta.url).resolve('@lancedb/lancedb');
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8')) as { version: string };
  return { lore: VERSION, node: process.versions.node, lanceDb: version };
}

/** The backups of a store, read without opening it. Throws `conflict` if no destination is configured. */
export function storedBackups(loaded: Pick<LoadedConfig, 'config'>): StoredBackups {
  return new StoredBackups(backupStorage(requireBackupLocation(loaded)));
}

/** Reads the files of a store that describe its state. Does not open the store and changes nothing. */
export async function inspect({ config }: Pick<LoadedConfig, 'config'>): Promise<Inspection> {
  const holder = liveHolder({ config });
  const { onDisk } = storeAbilities({ config });
  const notes = localStoreFolder({ config });
  const format = formatOf(notes);
  const rename = await readUnfinishedRename(notes);
  const quarantine = quarantined(notes);
  const backups = backupLocation({ config });
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

/** A file of the store that does not match its checksum. */
export interface WrongStoreFile {
  /** Relative to the store folder. */
  readonly path: string;
  readonly kind: FileKind;
}

/** Compares the files of a store with their checksums; empty for a remote store. Does not open the store, so another process may have it open. */
export async function wrongStoreFiles({ config }: Pick<LoadedConfig, 'config'>): Promise<WrongStoreFile[]> {
  if (!storeAbilities({ config }).onDisk) return [];
  return (await wrongFiles(config.storage.path)).map((file) => ({ path: pathInStore(file), kind: kindOf(file) }));
}

/** Undefined if the file is damaged: opening the store reports that. */
function formatOf(storePath: string): number | undefined {
  try {
    return readCheckpoint(storePath).format;
  } catch {
    return undefined;
  }
}
