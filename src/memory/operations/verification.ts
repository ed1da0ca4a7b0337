/** Ids of a kind that a report names; of more than these it does not say how many. */
export const MAX_VERIFIED_IDS = 10_000;

/** A file of the store that is not what was written. */
export interface WrongFile {
  /** Below the folder of the store. */
  readonly path: string;
  readonly table: string;
  /** `data`: rows; `index`: it is built again from the rows, and nothing is lost; `description`: what says which rows there are. */
  readonly kind: 'data' | 'index' | 'description';
  /** Ids of the entries that lie in it, at most `MAX_VERIFIED_IDS`: any of their fields may be wrong. */
  readonly entries: readonly string[];
}

/** Whether the files of the store are what was written. */
export interface VerifiedFiles {
  readonly checked: number;
  /** In a store of an earlier version: they get one once all entries were found as they were saved. */
  readonly withoutChecksum: number;
  readonly wrong: readonly WrongFile[];
}

/** Whether what is stored is what was saved. */
export interface VerifyReport {
  /** Entries whose content was read and compared with its checksum, those in the archive included. */
  readonly checked: number;
  /** Ids of those that are not what was saved, at most `MAX_VERIFIED_IDS`. */
  readonly altered: readonly string[];
  /** Ids of those that cannot be read, likewise. */
  readonly unreadable: readonly string[];
  /** Nothing in the archive could be looked at; absent where that is not so. */
  readonly archiveUnreadable?: true;
  /** The files of the store against their checksums; absent where it lies in no folder, and in what servers of an earlier version say. */
  readonly files?: VerifiedFiles;
  readonly ms: number;
}
