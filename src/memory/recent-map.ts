/**
 * A bounded map that approximates LRU with two generations: when the young one is full, the old one is dropped. Keeps at most `limit`
 * entries, at least half of them. Reads are cheaper than with a linked list. Values must not be undefined.
 */
export class RecentMap<Key, Value> {
  readonly #generation: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(limit: number) {
    this.#generation = Math.max(1, Math.floor(limit / 2));
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
