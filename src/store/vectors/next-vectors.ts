import path from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import type { Field, RecordBatch, Schema } from 'apache-arrow';
import { dropUnfinishedTable } from '../tables/unfinished-table.ts';
import { embeddedKey } from '../format/content-hash.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { mergeCompletely, pruneTable } from '../tables/merging.ts';
import { rowsOf, textOf, toArrowTable, vectorsOf, type EntryRow, type EntryVectors } from '../format/rows.ts';
import { arrow, newVectorColumns, vectorFields } from '../format/schema.ts';
import { asStoreError } from '../errors/store-error.ts';
import { FolderSync } from '../files/sync.ts';
import { differsOrIsEmpty } from '../format/predicates.ts';

/** The new vectors of one entry, with the key of the embedded content and tags. */
export interface NextVectorsRow {
  readonly id: string;
  /** Key of the embedded content and tags. */
  readonly key: string;
  readonly vectors: EntryVectors;
}

/** Which vectors are being collected. */
interface NextSpace {
  readonly fingerprint: string;
  readonly width: number;
}

/** Opens a connection to the tables of the store. */
type Connect = () => Promise<Connection>;

interface NextVectorsSettings {
  /** Folder of the store; undefined if it is on object storage. */
  readonly folder: string | undefined;
  readonly connect: Connect;
  readonly space: NextSpace;
  readonly synced: boolean;
}

const TABLE = 'next_vectors';
/** Name of the fingerprint in the schema. */
const MODEL = 'lore.embedder';
/** More than there are tables; without a limit, some kinds of connection return ten names. */
const MOST_NAMES = 100_000;
const COLUMNS = ['id', 'content_hash', 'embedder'] as const;
/** Batches added before the table is merged. */
const MERGE_AFTER = 64;

/**
 * The vectors of the next model, in a separate table until every entry has some. They are not in the log; unreadable ones are dropped and
 * computed again.
 */
export class NextVectors {
  readonly space: NextSpace;
  readonly #connection: Connection;
  readonly #tree: FolderSync | undefined;
  readonly #table: Table;
  /** Id -> key of the embedded content and tags. */
  readonly #keys = new Map<string, string>();
  #unmerged = 0;

  private constructor(space: NextSpace, connection: Connection, table: Table, tree: FolderSync | undefined) {
    this.space = space;
    this.#connection = connection;
    this.#table = table;
    this.#tree = tree;
  }

  /** Fingerprint of the model whose vectors were being collected when the store was last open; undefined for none. */
  static async begun(connect: Connect): Promise<string | undefined> {
    const connection = await connect();
    try {
      if (!(await isThere(connection))) return undefined;
      const table = await connection.openTable(TABLE);
      const model = (await table.schema()).metadata.get(MODEL);
      if (model !== undefined) return model;
      // An earlier version of Lore did not store the name there.
      const [row] = (await table.query().select(['embedder']).limit(1).toArray()) as { embedder?: unknown }[];
      return typeof row?.embedder === 'string' ? row.embedder : undefined;
    } catch {
      return undefined;
    } finally {
      connection.close();
    }
  }

  /** Continues with the existing vectors of this space, or starts over. */
  static async open({ folder, connect, space, synced }: NextVectorsSettings): Promise<NextVectors> {
    if (folder !== undefined) await dropUnfinishedTable(folder, TABLE);
    const connection = await connect();
    const tree = synced && folder !== undefined ? new FolderSync(path.join(folder, `${TABLE}.lance`)) : undefined;
    try {
      const kept = await reopened(connection, space);
      const table = kept ?? (await connection.createEmptyTable(TABLE, schemaOf(space)));
      const next = new NextVectors(space, connection, table, tree);
      if (kept !== undefined) await next.#learn();
      return next;
    } catch (error) {
      connection.close();
      return asStoreError('collect vectors')(error);
    }
  }

  /** Whether the vectors of this content and tags exist. */
  has(known: Pick<CatalogEntry, 'id' | 'contentHash' | 'tags'>): boolean {
    return this.#keys.get(known.id) === embeddedKey(known);
  }

  /** Adds vectors. Resolves when they are durable. Throws for vectors of another width. */
  async add(rows: readonly EntryRow[]): Promise<void> {
    // The hash column identifies the embedded content.
    const stored = rows.map((row) => ({ ...row, entry: { ...row.entry, contentHash: embeddedKey(row.entry) }, writtenAt: 0 }));
    await this.#table.add(toArrowTable(stored, schemaOf(this.space))).catch(asStoreError('keep vectors'));
    await this.#tree?.run().catch(asStoreError('keep vectors'));
    for (const { entry } of rows) this.#keys.set(entry.id, embeddedKey(entry));
    this.#unmerged += 1;
    if (this.#unmerged < MERGE_AFTER) return;
    this.#unmerged = 0;
    const { isWhole } = await mergeCompletely(this.#table);
    await this.#tree?.run().catch(asStoreError('keep vectors'));
    if (isWhole) await pruneTable(this.#table, Date.now());
  }

  /** All vectors in batches, each entry once, without those of earlier content or tags. */
  async *all(): AsyncGenerator<NextVectorsRow[]> {
    const columns = newVectorColumns(this.space.width, true);
    const names = [...COLUMNS, columns.first, columns.further];
    const seen = new Set<string>();
    try {
      for await (const batch of this.#table.query().select(names)) {
        const rows = rowsOf(batch, names).flatMap((raw): NextVectorsRow[] => {
          const vectors = vectorsOf(raw, [columns]);
          const row = { id: textOf(raw, 'id'), key: textOf(raw, 'content_hash') };
          // Another server that was replaced may have added vectors of another model.
          const isOwn = vectors?.embedder === this.space.fingerprint;
          if (!isOwn || seen.has(row.id) || this.#keys.get(row.id) !== row.key) return [];
          seen.add(row.id);
          return [{ ...row, vectors }];
        });
        if (rows.length > 0) yield rows;
      }
    } catch (error) {
      asStoreError('read vectors')(error);
    }
  }

  /** The entries whose first passage is nearest, best first; every vector is compared. */
  async nearest(vector: Float32Array, limit: number): Promise<string[]> {
    const { first } = newVectorColumns(this.space.width, true);
    const query = this.#table.query().nearestTo(vector).column(first).distanceType('cosine').bypassVectorIndex();
    const ids: string[] = [];
    const found: AsyncIterable<RecordBatch> = query.select(['id', '_distance']).limit(limit);
    try {
      for await (const batch of found) for (const row of rowsOf(batch, ['id'])) ids.push(textOf(row, 'id'));
    } catch (error) {
      asStoreError('search by vector')(error);
    }
    return ids;
  }

  /** Deletes all vectors; only `close` may follow. */
  async drop(): Promise<void> {
    await this.#connection.dropTable(TABLE).catch(asStoreError('throw vectors away'));
  }

  close(): void {
    this.#table.close();
    this.#connection.close();
  }

  async #learn(): Promise<void> {
    for await (const batch of this.#table.query().select([...COLUMNS])) {
      for (const row of rowsOf(batch, COLUMNS)) this.#keys.set(textOf(row, 'id'), textOf(row, 'content_hash'));
    }
  }
}

function schemaOf({ width, fingerprint }: NextSpace): Schema {
  const texts = COLUMNS.map((name): Field => new arrow.Field(name, new arrow.Utf8(), false));
  return new arrow.Schema([...texts, ...vectorFields(newVectorColumns(width, true))], new Map([[MODEL, fingerprint]]));
}

const isThere = async (connection: Connection): Promise<boolean> => (await connection.tableNames({ limit: MOST_NAMES })).includes(TABLE);

/** Undefined if there is none, none of this space, or none that is readable. */
async function reopened(connection: Connection, { fingerprint, width }: NextSpace): Promise<Table | undefined> {
  if (!(await isThere(connection))) return undefined;
  try {
    const table = await connection.openTable(TABLE);
    const columns = newVectorColumns(width, true);
    const model = (await table.schema()).metadata.get(MODEL) ?? fingerprint;
    const others = differsOrIsEmpty({ column: 'embedder', value: fingerprint, filled: columns.first });
    if (model === fingerprint && (await table.countRows(others)) === 0) return table;
    table.close();
  } catch {
    // Created again below.
  }
  await connection.dropTable(TABLE);
  return undefined;
}
