import { LoreError } from '../../memory/errors.ts';
import { isOnObjectStorage, isOnService } from '../../memory/store-address.ts';

/** What a store can do by where it lies. Asked here only, so that nothing else need know one kind of place from another. */
export interface Abilities {
  /** Where it lies, for people. */
  readonly place: string;
  /** Whether one process has it open and a file in it says which: those beside it find it there. Elsewhere every process is a server more. */
  readonly lockFile: boolean;
  /** Whether it lies on a disk of this machine, which may be full. */
  readonly onDisk: boolean;
  /** Whether its backups are copies of its files, which may take its place. Elsewhere they are exports, of which a new store is made. */
  readonly copies: boolean;
  /** Whether Lore can read its files one by one and make a store of those that can be read. */
  readonly repair: boolean;
  /** Whether other servers may write to it: reads then have to look for what they wrote. */
  readonly shared: boolean;
  /**
   * Whether a service keeps its tables: it merges them and builds their indexes by itself, names no row by its address, and what is asked of it is
   * asked of the newest version.
   */
  readonly managed: boolean;
}

const FOLDER: Abilities = {
  place: 'in a folder',
  lockFile: true,
  onDisk: true,
  copies: true,
  repair: true,
  shared: false,
  managed: false,
};
const OBJECTS: Abilities = {
  ...FOLDER,
  place: 'on object storage',
  lockFile: false,
  onDisk: false,
  copies: false,
  repair: false,
  shared: true,
};
/** The lock is in the folder of this machine that holds the journal. */
const SERVICE: Abilities = { ...FOLDER, place: 'in LanceDB Cloud', onDisk: false, copies: false, repair: false, managed: true };

/** What a store at this place can do. */
export function abilitiesOf(storePath: string): Abilities {
  if (isOnService(storePath)) return SERVICE;
  return isOnObjectStorage(storePath) ? OBJECTS : FOLDER;
}

/** What only a store in a folder can do, and what to do elsewhere. */
const NEEDS_FOLDER = {
  copies: {
    refusal: 'nothing says where its backups are',
    hint: 'Set storage.backupPath to a folder, or to a place on object storage (docs/shared-store.md).',
    managedHint: 'Set storage.backupPath to a folder, or to a place on object storage (docs/lancedb-cloud.md).',
  },
  repair: {
    refusal: 'Lore cannot repair its files',
    hint: 'Go back to earlier versions of its objects with what the provider offers (docs/shared-store.md).',
    managedHint: 'The operator of the service can restore earlier versions of its tables (docs/lancedb-cloud.md).',
  },
} as const satisfies Partial<Record<keyof Abilities, { readonly refusal: string; readonly hint: string; readonly managedHint: string }>>;

/** Throws `conflict`, saying what to do instead, where the store cannot do this because it lies in no folder. */
export function requireFolder(abilities: Abilities, what: keyof typeof NEEDS_FOLDER): void {
  if (!abilities[what]) throw needsFolder(abilities, what);
}

/** Of a store that cannot do this, why, and what to do instead. */
export function needsFolder({ place, managed }: Pick<Abilities, 'place' | 'managed'>, what: keyof typeof NEEDS_FOLDER): LoreError {
  const { refusal, hint, managedHint } = NEEDS_FOLDER[what];
  return new LoreError('conflict', `The store is ${place}: ${refusal}.`, { hint: managed ? managedHint : hint });
}
