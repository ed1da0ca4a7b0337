import type { Connection } from '@lancedb/lancedb';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { LoreError } from '../../memory/errors.ts';
import { BackupFolder } from '../backup/backup-folder.ts';
import { BackupObjects } from '../backup/backup-objects.ts';
import type { BackupStorage } from '../backup/backup-storage.ts';
import { asStoreError } from '../errors/store-error.ts';
import { createDeadline } from '../wal/shared/deadline.ts';
import { tableNames } from '../wal/shared/segment.ts';
import type { RemoteSettings } from './connection.ts';

/** The location of the backups of a store, and how they are made. */
export interface BackupLocation {
  /** A folder, or the URI of a prefix on object storage. */
  readonly location: string;
  /** Settings of the connection; absent for a folder. */
  readonly remote?: RemoteSettings;
  readonly compress: boolean;
  /** Version of Lore. */
  readonly version: string;
}

/** The backups at a place. Reads nothing yet. */
export function backupStorage({ location, remote }: Pick<BackupLocation, 'location' | 'remote'>): BackupStorage {
  if (remote === undefined) return new BackupFolder(location);
  return new BackupObjects({ connect: () => connected(location, remote), timeoutMs: remote.timeoutMs });
}

/** Throws `conflict` if the place for a new store is not empty. */
export async function requireEmpty(place: string, remote: RemoteSettings | undefined): Promise<void> {
  const there = remote === undefined ? await filesAt(place) : await tablesAt(place, remote);
  if (there.length === 0) return;
  throw new LoreError('conflict', `${place} is not empty: ${there.slice(0, 3).join(', ')}.`, {
    hint: 'Name a new location. Nothing was changed.',
  });
}

/** The engine is loaded on demand: on a platform without a build, opening the store reports that first. */
const connected = async (place: string, remote: RemoteSettings): Promise<Connection> =>
  await (await import('./connection.ts')).connect(place, remote);

async function filesAt(folder: string): Promise<string[]> {
  return existsSync(folder) ? await readdir(folder).catch(asStoreError('check the new location')) : [];
}

async function tablesAt(place: string, remote: RemoteSettings): Promise<string[]> {
  const within = createDeadline(remote.timeoutMs);
  const connection = await within('check the new location', connected(place, remote));
  try {
    return await tableNames({ connection, within });
  } finally {
    connection.close();
  }
}
