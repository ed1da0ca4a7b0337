/** Marker of a permanently deleted entry or manual relation, without its content. */
export interface Tombstone {
  /** Entry id or relation key. */
  readonly id: string;
  readonly namespace: string;
  /** Time of deletion, epoch milliseconds; never before the last change, even if the clock went back. */
  readonly at: number;
}
