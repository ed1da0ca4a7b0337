import { ownerOf, type AuxiliaryShape } from './auxiliary-rows.ts';

/** Changes that are flushed together. */
interface Part<Value> {
  /** By key; undefined if removed. */
  readonly values: Map<string, Value | undefined>;
  /** Owners whose rows in the table are all removed. */
  readonly owners: Set<string>;
  /** Keys that the table does not have, as far as writes have ended well. */
  readonly added: Set<string>;
}

const emptyPart = <Value>(): Part<Value> => ({ values: new Map(), owners: new Set(), added: new Set() });

/** Values of an auxiliary table that are in the log and not in the table yet. Like memtables: one active part, and frozen ones. */
export class AuxiliaryMemtable<Value> {
  readonly #shape: AuxiliaryShape<Value>;
  #active = emptyPart<Value>();
  /** Newest first. */
  #frozen: readonly Part<Value>[] = [];

  constructor(shape: AuxiliaryShape<Value>) {
    this.#shape = shape;
  }

  /** Number of changes in the active part. */
  get size(): number {
    return this.#active.values.size + this.#active.owners.size;
  }

  get hasFrozen(): boolean {
    return this.#frozen.length > 0;
  }

  /** Sets a value. `isNew`: the key does not exist. */
  set(value: Value, isNew: boolean): void {
    const key = this.#shape.keyOf(value);
    if (isNew && !this.#parts.some(({ values }) => values.has(key))) this.#active.added.add(key);
    this.#active.values.set(key, value);
  }

  delete(key: string): void {
    this.#active.values.set(key, undefined);
  }

  /** Deletes all values of this owner. */
  deleteOf(owner: string): void {
    const { values, owners } = this.#active;
    for (const [key, value] of values) if (value !== undefined && ownerOf(this.#shape, value) === owner) values.set(key, undefined);
    owners.add(owner);
  }

  /** Whether values of this owner wait. */
  holdsOf(owner: string): boolean {
    const isOf = (value: Value | undefined): boolean => value !== undefined && ownerOf(this.#shape, value) === owner;
    return this.#parts.some(({ values }) => [...values.values()].some(isOf));
  }

  /**
   * The present state, which later changes do not alter. Take it before the table is queried: so a value flushed in the meantime is seen once
   * and not missed.
   */
  now(): { readonly values: readonly Value[]; readonly hides: (key: string, owner: string | undefined) => boolean } {
    const { values, owners } = this.#merged(this.#parts);
    return {
      values: [...values.values()].filter((value) => value !== undefined),
      hides: (key, owner) => values.has(key) || (owner !== undefined && owners.has(owner)),
    };
  }

  /** Freezes the active part. Earlier frozen parts that could not be written are flushed with it. */
  freeze(): void {
    this.#frozen = this.#parts;
    this.#active = emptyPart();
  }

  /** All frozen changes, each in its newest version. */
  frozen(): Part<Value> {
    return this.#merged(this.#frozen);
  }

  /** Drops the flushed frozen parts; with `parts`, only that many of the oldest. */
  drop(parts = this.#frozen.length): void {
    this.#frozen = this.#frozen.slice(0, this.#frozen.length - parts);
  }

  get #parts(): readonly Part<Value>[] {
    return [this.#active, ...this.#frozen];
  }

  #merged(parts: readonly Part<Value>[]): Part<Value> {
    return parts.reduceRight((older, { values, owners, added }) => {
      const left = [...older.values].map(([key, value]) => {
        const isGone = value !== undefined && owners.has(ownerOf(this.#shape, value) ?? '');
        return [key, isGone ? undefined : value] as const;
      });
      return {
        values: new Map([...left, ...values]),
        owners: new Set([...older.owners, ...owners]),
        added: new Set([...older.added, ...added]),
      };
    }, emptyPart<Value>());
  }
}
