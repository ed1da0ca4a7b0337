/** What is kept of an entry that someone deleted for good, or of a relation made by hand: that it was there, and nothing that it said. */
export interface Tombstone {
  /** Of the entry, or the key of the relation. */
  readonly id: string;
  readonly namespace: string;
  /** When it was deleted, epoch milliseconds; no earlier than its last change, whatever the clock said. */
  readonly at: number;
}
