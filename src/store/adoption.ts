import { countGenerations, outdatedTexts } from './cycle.ts';
import type { Database } from './database.ts';
import type { Directory } from './directory.ts';
import type { Fresh, FreshRows } from './fresh-rows.ts';
import { KeptVersions, lateWrite, RETAIN_MS } from './kept-versions.ts';
import type { Lexicon } from './lexicon.ts';
import { ENTRIES } from './schema.ts';
import type { SideTables } from './side-tables.ts';
import type { Snapshot } from './snapshot.ts';
import type { Ledger, PartEnd, PlaceTables, Written } from './store-place.ts';
import { TableCheck } from './table-check.ts';

export interface AdoptionParts {
  readonly tables: Pick<PlaceTables, 'areShared' | 'areManaged'>;
  readonly directory: Directory;
  readonly database: Database;
  readonly fresh: Fresh;
  readonly ledger: Ledger;
  readonly sides: SideTables;
  /** Words of the table as the reader has it. */
  readonly words: () => Lexicon;
  /** Told of what is in the table from now on, in the turn in which it leaves the fresh rows. */
  readonly onAdopt: (generation: FreshRows) => void;
}

/** A generation that was closed, and the part of the ledger that it is. */
export interface Sealed {
  readonly part: number;
  readonly generation: FreshRows;
}

/** Versions of shared tables that reads are to move to; no snapshot where the entries are there already. */
export interface Target {
  readonly snapshot: Snapshot | undefined;
  readonly sides: Written['sides'];
}

/** Where reads still look at older versions, what is so much older than those is prunable. */
const MARGIN_MS = 2_000;

/** What is on its way into the tables, and how the reads move to tables that hold it. */
export class Adoption {
  readonly #parts: AdoptionParts;
  /** Oldest first. */
  #sealed: readonly Sealed[] = [];
  readonly #kept = new KeptVersions(RETAIN_MS);

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
    if (parts.tables.areShared) this.#kept.note(parts.database.snapshot.version);
  }

  /** Told in the order of the ledger: what came so far goes into the tables together. */
  seal({ part }: PartEnd): void {
    const { fresh, sides } = this.#parts;
    this.#sealed = [...this.#sealed, { part, generation: fresh.seal() }];
    sides.seal();
  }

  /** What was sealed and is in no table that reads are at; oldest first. */
  get sealed(): readonly Sealed[] {
    return this.#sealed;
  }

  /**
   * Moves the reads to tables that hold these, the oldest that are sealed; `adopted` is called in that turn. Without a target, to what the writer has. `outdated`: the
   * search texts that these replace, where the reads do not have them any more.
   */
  async adopt(
    sealed: readonly Sealed[],
    { target, outdated, adopted }: { readonly target?: Target | undefined; readonly outdated?: readonly string[]; adopted: () => void },
  ): Promise<void> {
    const { database, fresh, sides, words, onAdopt } = this.#parts;
    const generations = sealed.map(({ generation }) => generation);
    const replaced = outdated ?? (await outdatedTexts(database, generations));
    const moveSides = target && (await sides.openAt(target.sides));
    if (target === undefined) await database.adopt();
    else if (target.snapshot !== undefined) database.take(target.snapshot);
    moveSides?.();
    adopted();
    for (const generation of generations) onAdopt(generation);
    fresh.drop(generations);
    sides.dropSealed(sealed.length);
    this.#sealed = this.#sealed.slice(sealed.length);
    if (target !== undefined) this.#kept.note(database.snapshot.version);
    countGenerations(words(), generations, replaced);
  }

  /** What reads are to move to once others have written all up to a part. */
  async targetOf({ version, sides }: Written): Promise<Target> {
    const { database } = this.#parts;
    return { snapshot: version === database.snapshot.version ? undefined : await database.openAt(version), sides };
  }

  /** Of shared tables that these were written to: makes sure that they hold what is meant, and lets the others know. */
  async publish(sealed: readonly Sealed[]): Promise<Target> {
    const { database, directory, fresh, sides, ledger } = this.#parts;
    const check = new TableCheck();
    const version = await database.writer.version();
    const snapshot = await database.openAt(version, { columns: TableCheck.COLUMNS, visit: (batch) => check.add(batch) });
    try {
      const written = new Set(sealed.map(({ generation }) => generation));
      const newer = fresh.generations.filter((generation) => !written.has(generation));
      if (!check.agrees(directory, newer)) throw lateWrite(ENTRIES);
      const versions = await sides.versions();
      await ledger.publish(sealed.at(-1)?.part ?? 0, { version, rows: snapshot.size, sides: versions });
      return { snapshot, sides: versions };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  /** What was committed before, epoch milliseconds, nobody reads any more; undefined where that is not known. */
  async prunableBefore(): Promise<number | undefined> {
    const { database, tables } = this.#parts;
    const inUse = database.oldestInUse === undefined ? Date.now() : database.oldestInUse - MARGIN_MS;
    if (!tables.areShared) return inUse;
    const elsewhere = await this.#kept.oldest(database.writer);
    return elsewhere === undefined ? undefined : Math.min(inUse, elsewhere);
  }
}
