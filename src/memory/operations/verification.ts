/** Ids of a kind that a report names; of more than these it does not say how many. */
export const MAX_VERIFIED_IDS = 10_000;

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
  readonly ms: number;
}
