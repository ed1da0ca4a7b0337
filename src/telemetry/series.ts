/** The series of a metric: one value per combination of label values. */
export class Series<Value> {
  readonly #make: () => Value;
  readonly #all = new Map<string, { readonly words: readonly string[]; value: Value }>();

  constructor(make: () => Value) {
    this.#make = make;
  }

  /** The series of these label values; its value is changed in place. */
  of(words: readonly string[]): { value: Value } {
    const key = words.join('\n');
    let found = this.#all.get(key);
    if (found === undefined) this.#all.set(key, (found = { words: [...words], value: this.#make() }));
    return found;
  }

  /** All series in order of creation. */
  all(): Iterable<{ readonly words: readonly string[]; readonly value: Value }> {
    return this.#all.values();
  }
}
