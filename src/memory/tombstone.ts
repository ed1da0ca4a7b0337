/** What is kept of an entry that somebody deleted for good: that it was there, and nothing that it said. */
export interface Tombstone {
  /** Of the entry. */
  readonly id: string;
  readonly namespace: string;
  /** When it was deleted, epoch milliseconds; no earlier than its last change, whatever the clock said. */
  readonly at: number;
}
