import { addWordCounts, outdatedTexts, writeRows } from './flush.ts';
import type { Database } from '../tables/database.ts';
import type { Schema } from 'apache-arrow';
import type { Catalog } from '../catalog/catalog.ts';
import { StampReader, type Stamp } from '../catalog/stamps.ts';
import type { EntriesTable } from '../tables/entries-table.ts';
import type { Memtables, Memtable } from '../memtable/memtable.ts';
import { vectorIndexesOf, type VectorIndexes, type VectorIndexPlan } from '../tables/indexes.ts';
import { KeptVersions, staleVersionError, RETAIN_MS } from '../tables/kept-versions.ts';
import type { Lexicon } from '../memtable/lexicon.ts';
import { ENTRIES, vectorColumnsOf, type VectorColumns } from '../format/schema.ts';
import type { VectorSpace } from '../format/vector-space.ts';
import { shardOf } from '../format/shards.ts';
import type { AuxiliaryTables } from '../tables/auxiliary-tables.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import type { Wal, SegmentEnd, WrittenVersions } from '../wal/wal.ts';
import type { BackendTables } from '../tables/backend-tables.ts';
import { TableCheck } from './table-check.ts';

/** Longest interval for removing leftovers of others: it reads each kept version, and on object storage each read is a request. */
const REMOVE_EVERY_MS = 120_000;
/** Files that are this much older than the oldest version in use are removed. */
const MARGIN_MS = 2_000;

/** Called with the vectors that reads move to. */
interface SpaceFollower {
  /** Called with the flushed rows at the moment they leave the memtable. */
  take(memtable: Memtable): void;
  /** The vector index of a space whose vectors are in one of these pairs of columns. */
  planOf(space: VectorSpace, columns: readonly VectorColumns[]): VectorIndexPlan;
  /** Called in the turn in which reads move to the vectors of another space from another server. */
  follow(space: VectorSpace, stamps: ReadonlyMap<string, Stamp>): void;
}

export interface FlusherParts {
  readonly tables: Pick<BackendTables, 'abilities' | 'space'>;
  readonly catalog: Catalog;
  readonly database: Database;
  readonly memtables: Memtables;
  readonly wal: Wal;
  readonly auxiliary: AuxiliaryTables;
  /** Word index of the table that readers use. */
  readonly words: () => Lexicon;
  readonly spaces: () => SpaceFollower;
  /** Runs work between commits. */
  readonly exclusive: (run: () => Promise<void>) => Promise<void>;
}

/** A frozen memtable, and its segment of the log. */
interface Frozen {
  readonly segment: number;
  readonly memtable: Memtable;
}

/** Versions of other servers that reads do not use yet. */
interface Pending {
  readonly part: number;
  readonly written: WrittenVersions;
}

/** The shared versions that reads move to. */
interface Published {
  readonly parts: readonly Snapshot[];
  readonly auxiliary: WrittenVersions['sides'];
}

/** The vectors of another space that the reads move to. */
export interface NextSpace {
  readonly space: VectorSpace;
  readonly plan: VectorIndexPlan;
  /** Called in the turn in which they move. */
  readonly adopted: () => void;
}

/** The facts about a flush that a move of reads needs. */
interface WrittenIndex {
  readonly indexes: VectorIndexes;
  /** The search texts that it replaced. */
  readonly outdated: readonly string[];
  readonly next?: (NextSpace & { /** Of the tables with its vectors. */ readonly schema: Schema }) | undefined;
}

/** Tracks frozen memtables, and moves reads to the tables that contain them, written by any server. */
export class Flusher {
  readonly #parts: FlusherParts;
  /** Oldest first. */
  #frozen: readonly Frozen[] = [];
  #pending: Pending | undefined;
  /** By the name of the table. */
  readonly #kept: ReadonlyMap<string, KeptVersions>;
  #indexes: VectorIndexes = new Map();
  #plan: VectorIndexPlan | undefined;
  #space: VectorSpace | undefined;
  /** Of shared tables by name, by `performance.now()`. */
  readonly #removedAt = new Map<string, number>();

  constructor(parts: FlusherParts) {
    this.#parts = parts;
    this.#space = parts.tables.space;
    this.#kept = new Map(parts.database.tables.map(({ name }) => [name, new KeptVersions(RETAIN_MS)]));
  }

  /** Whether another server wrote versions that reads do not use yet. */
  get isBehind(): boolean {
    return this.#pending !== undefined;
  }

  /** The vector indexes that reads use. */
  get indexes(): VectorIndexes {
    return this.#indexes;
  }

  /** The plan of the vector index. */
  get plan(): VectorIndexPlan | undefined {
    return this.#plan;
  }

  /** The space of the vectors as the log of a shared store names it; undefined before the first change of the model. */
  get space(): VectorSpace | undefined {
    return this.#space;
  }

  /** Sets the vector indexes that reads use, at the start and later, and their plan. */
  begin(indexes: VectorIndexes, plan = this.#plan): void {
    this.#indexes = indexes;
    this.#plan = plan;
    this.#noteVersions();
  }

  #noteVersions(): void {
    const { database, tables } = this.#parts;
    if (tables.abilities.shared) for (const { name, version } of database.view.parts) this.#kept.get(name)?.note(version);
  }

  /** Freezes the memtable; it is flushed as one batch. Call it in the order of the log. */
  freeze({ segment }: SegmentEnd): void {
    const { memtables, auxiliary } = this.#parts;
    this.#frozen = [...this.#frozen, { segment, memtable: memtables.freeze() }];
    auxiliary.freeze();
  }

  /**
   * Records that another server flushed everything up to this segment. Reads move there with the next `catchUp`. Call it in the order of
   * the log.
   */
  follow(part: number, written: WrittenVersions): void {
    this.#pending = { part, written };
  }

  /** Frozen memtables that are not flushed yet. */
  get frozen(): readonly Frozen[] {
    return this.#frozen;
  }

  /** Freezes the memtable for a flush. A memtable from a failed run is flushed separately if possible. */
  async close(): Promise<readonly Frozen[]> {
    const { wal, exclusive } = this.#parts;
    const last = this.#frozen.at(-1);
    if (last === undefined || !wal.isOpen(last.segment)) await exclusive(() => wal.closePart());
    return this.#frozen;
  }

  /** Writes frozen memtables to the tables, where reads do not see them yet. Resolves with the search texts that they replace. */
  async write(frozen: readonly Frozen[]): Promise<readonly string[]> {
    const { database, auxiliary } = this.#parts;
    const written = frozen.map(({ memtable }) => memtable);
    await auxiliary.write();
    // If reads use the newest version, the replaced texts are gone afterwards.
    const outdated = await outdatedTexts(database, written);
    await writeRows(database, written);
    return outdated;
  }

  /** Moves reads to the versions of other servers. */
  async catchUp(): Promise<void> {
    const { database } = this.#parts;
    while (this.#pending !== undefined) {
      const pending = this.#pending;
      const { part, written } = pending;
      const space = this.#isNext(written.space) ? written.space : undefined;
      const stamps = new StampReader();
      const look = space && { columns: StampReader.COLUMNS, visit: stamps.add.bind(stamps) };
      const parts = await database.openAt(written.entries, look);
      try {
        const next = space && (await this.#nextOf(space, { parts, stamps: stamps.found }));
        const indexes = await this.#indexesOf(parts, next?.plan ?? this.#plan);
        const frozen = this.#frozen.filter((candidate) => candidate.segment <= part);
        const outdated = await outdatedTexts(
          database,
          frozen.map(({ memtable }) => memtable),
        );
        await this.#move(frozen, { indexes, outdated, next, published: { parts, auxiliary: written.sides } });
      } catch (error) {
        database.letGo(parts);
        throw error;
      }
      if (this.#pending === pending) this.#pending = undefined;
    }
  }

  /**
   * Moves reads to the versions that this process wrote, with these vector indexes. Publishes shared versions first. `outdated`: the
   * replaced search texts; `next`: the vectors are of another space now.
   */
  async adopt(frozen: readonly Frozen[], written: WrittenIndex): Promise<void> {
    const published = this.#parts.tables.abilities.shared ? await this.#publish(frozen, written.next?.space) : undefined;
    await this.#move(frozen, { ...written, published });
  }

  /** Time before which committed versions of a table are no longer read, epoch milliseconds; undefined if unknown. */
  async prunedBefore({ name, writer, oldestInUse, oldestVersionInUse }: EntriesTable): Promise<number | undefined> {
    if (!this.#parts.tables.abilities.shared) return oldestInUse === undefined ? Date.now() : oldestInUse - MARGIN_MS;
    if (performance.now() - (this.#removedAt.get(name) ?? -Infinity) < REMOVE_EVERY_MS) return undefined;
    const before = await this.#kept.get(name)?.oldest(writer, oldestVersionInUse);
    if (before !== undefined) this.#removedAt.set(name, performance.now());
    return before;
  }

  /** Earlier versions of Lore name no auxiliary tables. */
  #isNext(space: VectorSpace | undefined): boolean {
    return space !== undefined && space.fingerprint !== this.#space?.fingerprint;
  }

  async #nextOf(
    space: VectorSpace,
    { parts, stamps }: { readonly parts: readonly Snapshot[]; readonly stamps: ReadonlyMap<string, Stamp> },
  ): Promise<WrittenIndex['next']> {
    const spaces = this.#parts.spaces();
    const schema = await parts[0]!.table.schema();
    return { space, schema, plan: spaces.planOf(space, vectorColumnsOf(schema)), adopted: () => spaces.follow(space, stamps) };
  }

  /** For a table that reads do not move. */
  async #indexesOf(parts: readonly Snapshot[], plan: VectorIndexPlan | undefined): Promise<VectorIndexes> {
    const { view } = this.#parts.database;
    const known = parts.filter((part) => view.parts.includes(part));
    const looked = await vectorIndexesOf(
      parts.filter((part) => !known.includes(part)),
      plan,
    );
    return new Map([...known.flatMap(({ name }) => pairOf(this.#indexes, name)), ...looked]);
  }

  async #move(
    frozen: readonly Frozen[],
    { indexes, outdated, next, published }: WrittenIndex & { readonly published: Published | undefined },
  ): Promise<void> {
    const { database, memtables, auxiliary, words, spaces } = this.#parts;
    const written = frozen.map(({ memtable }) => memtable);
    const moveAuxiliary = published === undefined ? undefined : await auxiliary.openAt(published.auxiliary);
    if (published === undefined) await database.adopt();
    else database.take(published.parts, next?.schema);
    moveAuxiliary?.();
    this.#noteVersions();
    this.#indexes = indexes;
    if (next !== undefined) {
      this.#plan = next.plan;
      this.#space = next.space;
      next.adopted();
    }
    for (const memtable of written) spaces().take(memtable);
    memtables.drop(written);
    auxiliary.dropFrozen(frozen.length);
    this.#frozen = this.#frozen.slice(frozen.length);
    addWordCounts(words(), written, outdated);
  }

  /** For shared tables: verifies the written rows, then publishes the versions. */
  async #publish(frozen: readonly Frozen[], space = this.#space): Promise<Published> {
    const { database, catalog, memtables, auxiliary, wal } = this.#parts;
    const check = new TableCheck();
    const durable = await Promise.all(database.tables.map(async (table) => ({ version: await table.writtenVersion() })));
    const parts = await database.openAt(durable, { columns: TableCheck.COLUMNS, visit: (batch) => check.add(batch) });
    try {
      const written = new Set(frozen.map(({ memtable }) => memtable));
      const newer = memtables.all.filter((memtable) => !written.has(memtable));
      // Only the written tables were compared.
      const isLookedAt = (namespace: string): boolean => {
        const shard = shardOf(namespace, parts.length);
        return parts[shard] !== database.view.parts[shard];
      };
      if (!check.agrees(catalog, newer, isLookedAt)) throw staleVersionError(ENTRIES);
      const versions = await auxiliary.versions();
      const entries = parts.map(({ version, size: rows }) => ({ version, rows }));
      await wal.publish(frozen.at(-1)?.segment ?? 0, { entries, sides: versions, space });
      return { parts, auxiliary: versions };
    } catch (error) {
      database.letGo(parts);
      throw error;
    }
  }
}

function pairOf(indexes: VectorIndexes, name: string): [name: string, plan: VectorIndexPlan][] {
  const plan = indexes.get(name);
  return plan === undefined ? [] : [[name, plan]];
}
