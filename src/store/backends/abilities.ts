import { LoreError } from '../../memory/errors.ts';
import { isOnObjectStorage, isOnService } from '../../memory/store-address.ts';
import type { TableAbilities } from '../tables/backend-tables.ts';

/** The abilities of a store on its backend. Only this file distinguishes backends. */
export interface Abilities extends TableAbilities {
  /** Name of the backend, for people. */
  readonly place: string;
  /**
   * Whether one process has the store open and a lock file names it, so that other processes find it. Otherwise every process acts as
   * another server.
   */
  readonly lockFile: boolean;
  /** Whether it is on a disk of this machine, which may be full. */
  readonly onDisk: boolean;
  /** Whether its backups are copies of its files, which can replace it. Otherwise they are exports, from which a new store is made. */
  readonly copies: boolean;
  /** Whether Lore can read its files one by one and build a store from the readable ones. */
  readonly repair: boolean;
}

export const FOLDER: Abilities = {
  place: 'in a folder',
  lockFile: true,
  onDisk: true,
  copies: true,
  repair: true,
  shared: false,
  ownFiles: true,
  compaction: true,
  versions: true,
  upserts: false,
  slowReads: false,
  vectorCache: true,
  vectorSwitch: true,
};
export const OBJECTS: Abilities = {
  ...FOLDER,
  place: 'on object storage',
  lockFile: false,
  onDisk: false,
  copies: false,
  repair: false,
  shared: true,
  ownFiles: false,
  slowReads: true,
};
/** The lock is in the local folder with the log. */
export const SERVICE: Abilities = {
  ...FOLDER,
  place: 'in LanceDB Cloud',
  onDisk: false,
  copies: false,
  repair: false,
  ownFiles: false,
  compaction: false,
  versions: false,
  upserts: true,
  vectorCache: false,
  vectorSwitch: false,
};

/** The abilities of a store at this location. */
export function abilitiesOf(storePath: string): Abilities {
  if (isOnService(storePath)) return SERVICE;
  return isOnObjectStorage(storePath) ? OBJECTS : FOLDER;
}

/** Abilities of a store in a folder only, with the alternative for other stores. */
const NEEDS_FOLDER = {
  copies: {
    refusal: 'no location for its backups is set',
    hint: 'Set storage.backupPath to a folder, or to a location on object storage (docs/shared-store.md).',
    serviceHint: 'Set storage.backupPath to a folder, or to a location on object storage (docs/lancedb-cloud.md).',
  },
  repair: {
    refusal: 'Lore cannot repair its files',
    hint: 'Restore earlier versions of its objects with the tools of the provider (docs/shared-store.md).',
    serviceHint: 'The operator of the service can restore earlier versions of its tables (docs/lancedb-cloud.md).',
  },
} as const satisfies Partial<Record<keyof Abilities, { readonly refusal: string; readonly hint: string; readonly serviceHint: string }>>;

/** Throws `conflict` with an alternative if the store cannot do this because it is not in a folder. */
export function requireFolder(abilities: Abilities, what: keyof typeof NEEDS_FOLDER): void {
  if (!abilities[what]) throw needsFolder(abilities, what);
}

/** The reason why a store cannot do this, and the alternative. */
export function needsFolder({ place }: Pick<Abilities, 'place'>, what: keyof typeof NEEDS_FOLDER): LoreError {
  const { refusal, hint, serviceHint } = NEEDS_FOLDER[what];
  return new LoreError('conflict', `The store is ${place}: ${refusal}.`, { hint: place === SERVICE.place ? serviceHint : hint });
}
