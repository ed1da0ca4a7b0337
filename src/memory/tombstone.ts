/** The tombstone of a permanently deleted entry or manual relation: that it existed, without its content. */
export interface Tombstone {
  /** Of the entry, or the key of the relation. */
  readonly id: string;
  readonly namespace: string;
  /** When it was deleted, epoch milliseconds; no earlier than its last change, whatever the clock said. */
  readonly at: number;
}
