/** Maximum number of ids of each kind in a report. */
export const MAX_VERIFIED_IDS = 10_000;

/** A file of the store that differs from what was written. */
export interface WrongFile {
  /** Path relative to the store folder. */
  readonly path: string;
  readonly table: string;
  /** `data`: rows; `index`: can be rebuilt from the rows without loss; `description`: table metadata. */
  readonly kind: 'data' | 'index' | 'description';
  /** Ids of the entries in it, at most `MAX_VERIFIED_IDS`: any of their fields may be wrong. */
  readonly entries: readonly string[];
}

/** Result of comparing the files of the store with their checksums. */
export interface VerifiedFiles {
  readonly checked: number;
  /** Files written by earlier versions, without checksum; they get one once all entries are verified. */
  readonly withoutChecksum: number;
  readonly wrong: readonly WrongFile[];
}

/** Result of verifying the store. */
export interface VerifyReport {
  /** Entries whose content was compared with its checksum, including archived ones. */
  readonly checked: number;
  /** Ids of entries that differ from what was saved, at most `MAX_VERIFIED_IDS`. */
  readonly altered: readonly string[];
  /** Ids of unreadable entries, at most `MAX_VERIFIED_IDS`. */
  readonly unreadable: readonly string[];
  /** Present if the archive could not be read. */
  readonly archiveUnreadable?: true;
  /** Result for the files; absent if the store is not in a folder, and from servers of earlier versions. */
  readonly files?: VerifiedFiles;
  readonly ms: number;
}
