import { LoreError } from '../memory/errors.ts';
import { isOnObjectStorage } from '../memory/store-address.ts';

/** What a store can do by where it lies. Asked here only, so that nothing else need know one kind of place from another. */
export interface Abilities {
  /** Where it lies, for people. */
  readonly place: string;
  /** Whether one process has it open and a file in it says which: those beside it find it there. Elsewhere every process is a server more. */
  readonly lockFile: boolean;
  /** Whether it lies on a disk of this machine, which may be full. */
  readonly onDisk: boolean;
  /** Whether Lore can copy it file by file, and put such a copy in its place. */
  readonly backups: boolean;
  /** Whether Lore can read its files one by one and make a store of those that can be read. */
  readonly repair: boolean;
  /** Whether other servers may write to it: reads then have to look for what they wrote. */
  readonly shared: boolean;
}

const FOLDER: Abilities = { place: 'in a folder', lockFile: true, onDisk: true, backups: true, repair: true, shared: false };
const OBJECTS: Abilities = { place: 'on object storage', lockFile: false, onDisk: false, backups: false, repair: false, shared: true };

/** What a store at this place can do. */
export function abilitiesOf(storePath: string): Abilities {
  return isOnObjectStorage(storePath) ? OBJECTS : FOLDER;
}

/** What only a store in a folder can do, and what to do elsewhere. */
const NEEDS_FOLDER = {
  backups: {
    refusal: 'Lore makes and restores no backups of it',
    hint: 'Switch on versioning or soft delete of the bucket or container, and use `lore export` for a copy (docs/shared-store.md).',
  },
  repair: {
    refusal: 'Lore cannot repair its files',
    hint: 'Go back to earlier versions of its objects with what the provider offers (docs/shared-store.md).',
  },
} as const satisfies Partial<Record<keyof Abilities, { readonly refusal: string; readonly hint: string }>>;

/** Throws `conflict`, saying what to do instead, where the store cannot do this because it lies in no folder. */
export function requireFolder(abilities: Abilities, what: keyof typeof NEEDS_FOLDER): void {
  if (!abilities[what]) throw needsFolder(abilities, what);
}

/** Of a store that cannot do this, why, and what to do instead. */
export function needsFolder({ place }: Pick<Abilities, 'place'>, what: keyof typeof NEEDS_FOLDER): LoreError {
  const { refusal, hint } = NEEDS_FOLDER[what];
  return new LoreError('conflict', `The store is ${place}: ${refusal}.`, { hint });
}
