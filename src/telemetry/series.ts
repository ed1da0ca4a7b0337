/** One value of each series of a metric: a series for each combination of words. */
export class Series<Value> {
  readonly #make: () => Value;
  readonly #all = new Map<string, { readonly words: readonly string[]; value: Value }>();

  constructor(make: () => Value) {
    this.#make = make;
  }

  /** The one of these words, to be changed in place. */
  of(words: readonly string[]): { value: Value } {
    const key = words.length === 1 ? words[0]! : words.join('\n');
    let found = this.#all.get(key);
    if (found === undefined) this.#all.set(key, (found = { words: [...words], value: this.#make() }));
    return found;
  }

  /** In the order in which they came up. */
  all(): Iterable<{ readonly words: readonly string[]; readonly value: Value }> {
    return this.#all.values();
  }
}
