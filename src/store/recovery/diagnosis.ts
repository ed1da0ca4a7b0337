import type { RecordBatch } from 'apache-arrow';
import { dotProduct } from '../../memory/dot-product.ts';
import type { EntryFilter } from '../../memory/entry.ts';
import type { IndexDiagnosis } from '../../memory/operations/diagnosis.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Memtables } from '../memtable/memtable.ts';
import { indexesOf } from '../tables/indexes.ts';
import type { VectorColumns } from '../format/schema.ts';
import { searchColumn, type Hit, type IndexUse } from '../read/search.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { View } from '../tables/view.ts';
import { oneOf } from '../format/predicates.ts';

/** Number of true neighbours of an entry that an index should find. */
const NEIGHBOURS = 10;
/** Cosines this close count as equal: an index and an exact search may break ties differently. */
const TIE = 1e-4;
/** Recall below which users notice missing results. */
const GOOD_RECALL = 0.95;

interface Parts {
  /** The table versions to examine. */
  readonly view: View;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
  readonly columns: VectorColumns;
  /** Space of the searched vectors. */
  readonly fingerprint: string;
  /** The index of a table as used by searches; undefined if there is none. */
  readonly indexOf: (part: Snapshot) => IndexUse | undefined;
  /** Time when the last index was built, epoch milliseconds. */
  readonly builtAt: number | undefined;
}

interface Probe {
  readonly entry: CatalogEntry;
  readonly vector: Float32Array;
  /** Exact neighbours, among all rows and among those of its namespace. */
  readonly nearest: TopScores;
  readonly nearestInNamespace: TopScores;
}

/** Compares index search with exact search over all rows, for a sample of rows. */
export async function diagnose(parts: Parts, wanted: number): Promise<IndexDiagnosis> {
  const { view, catalog, memtables, indexOf, builtAt } = parts;
  // Taken at one moment, because entries move to the table while it is read.
  const moment = { known: new Set(catalog.ids()), isFresh: freshAt(memtables) };
  const indexes = (await Promise.all(view.parts.map(({ table }) => indexesOf(table)))).flat();
  const unindexed = (wantedColumn: string): number =>
    indexes.reduce((sum, { column, unindexedRows }) => sum + (column === wantedColumn ? unindexedRows : 0), 0);
  const index = view.parts.map(indexOf).find((use) => use !== undefined);
  const { ids, probes } = await exactNeighbours(parts, wanted);
  const recall = await measureRecall(parts, probes);
  const vectorUnindexed = index === undefined ? 0 : unindexed(parts.columns.first);
  const outdated = memtables.all.reduce((sum, { rows, outdatedIds }) => sum + rows.size + outdatedIds.size, 0);
  const facts = {
    rows: catalog.size,
    freshRows: memtables.size,
    unindexedRows: { keyword: unindexed('search_text'), vector: vectorUnindexed },
    vectorIndex: { kind: index?.kind ?? ('none' as const), ...(builtAt === undefined || index === undefined ? {} : { builtAt }) },
    recall,
    drift: catalog.size === 0 ? 0 : Math.min(1, round((outdated + vectorUnindexed) / catalog.size)),
    disagreements: disagreements(ids, moment),
  };
  return { ...facts, findings: findingsOf(facts) };
}

/** One pass over the tables: their ids, and the neighbours of the probes among all vectors. */
async function exactNeighbours(
  { view, catalog, columns, fingerprint }: Parts,
  wanted: number,
): Promise<{ ids: string[]; probes: Probe[] }> {
  const probes = await pickProbes({ view, catalog, columns, fingerprint }, wanted);
  const ids: string[] = [];
  try {
    for (const { table } of view.parts) {
      for await (const batch of table.query().select(['id', 'embedder', columns.first])) {
        const { batchIds, vectors } = readVectors(batch, columns, fingerprint);
        ids.push(...batchIds);
        for (const probe of probes) compare(probe, vectors, catalog);
        // A pass over 100,000 rows takes seconds, so this yields to others.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  } catch (error) {
    asStoreError('read the store')(error);
  }
  return { ids, probes };
}

interface RowVector {
  readonly id: string;
  readonly vector: Float32Array;
}

function readVectors(batch: RecordBatch, columns: VectorColumns, fingerprint: string): { batchIds: string[]; vectors: RowVector[] } {
  const [ids, embedders, column] = ['id', 'embedder', columns.first].map((name) => batch.getChild(name));
  const batchIds: string[] = [];
  const vectors: RowVector[] = [];
  for (let index = 0; index < batch.numRows; index += 1) {
    const id = ids?.get(index) as string;
    batchIds.push(id);
    const value = embedders?.get(index) === fingerprint ? (column?.get(index) as { toArray(): Float32Array } | null) : null;
    if (value !== null) vectors.push({ id, vector: value.toArray() });
  }
  return { batchIds, vectors };
}

async function pickProbes(
  { view, catalog, columns, fingerprint }: Omit<Parts, 'memtables' | 'indexOf' | 'builtAt'>,
  wanted: number,
): Promise<Probe[]> {
  const candidates = catalog.entries().filter(({ embedder }) => embedder === fingerprint);
  const step = Math.max(1, candidates.length / wanted);
  const chosen = Array.from(
    { length: Math.min(wanted, candidates.length) },
    (_, nth) => candidates[Math.floor(nth * step)] as CatalogEntry,
  );
  if (chosen.length === 0) return [];
  const where = oneOf(
    'id',
    chosen.map(({ id }) => id),
  );
  const probes: Probe[] = [];
  for (const { table } of view.parts) {
    for await (const batch of table.query().where(where).select(['id', 'embedder', columns.first])) {
      for (const { id, vector } of readVectors(batch, columns, fingerprint).vectors) {
        const entry = catalog.get(id);
        if (entry === undefined) continue;
        probes.push({ entry, vector: Float32Array.from(vector), nearest: new TopScores(), nearestInNamespace: new TopScores() });
      }
    }
  }
  return probes;
}

function compare(probe: Probe, vectors: readonly RowVector[], catalog: Catalog): void {
  for (const { id, vector } of vectors) {
    const score = dotProduct(vector, probe.vector);
    probe.nearest.offer(score);
    if (score > probe.nearestInNamespace.least && catalog.get(id)?.namespace === probe.entry.namespace)
      probe.nearestInNamespace.offer(score);
  }
}

/** Keeps the best offered scores. */
class TopScores {
  readonly #scores: number[] = [];

  get least(): number {
    return this.#scores.length < NEIGHBOURS ? -Infinity : (this.#scores.at(-1) as number);
  }

  get count(): number {
    return this.#scores.length;
  }

  offer(score: number): void {
    if (score <= this.least) return;
    const place = this.#scores.findIndex((other) => other < score);
    this.#scores.splice(place === -1 ? this.#scores.length : place, 0, score);
    if (this.#scores.length > NEIGHBOURS) this.#scores.pop();
  }

  /** Share of these scores that a list of hits reaches. */
  share(hits: readonly Hit[]): number {
    if (this.count === 0) return 1;
    const least = (this.#scores.at(-1) as number) - TIE;
    return Math.min(1, hits.filter(({ score }) => score >= least).length / this.count);
  }
}

async function measureRecall(parts: Parts, probes: readonly Probe[]): Promise<IndexDiagnosis['recall']> {
  const { view, columns, indexOf, fingerprint } = parts;
  const find = (vector: Float32Array, filter: EntryFilter): Promise<Hit[]> =>
    searchColumn(view, { vector, column: columns.first, filter, fingerprint, indexOf, limit: NEIGHBOURS });
  const shares = { all: [] as number[], oneNamespace: [] as number[] };
  for (const { vector, entry, nearest, nearestInNamespace } of probes) {
    shares.all.push(nearest.share(await find(vector, {})));
    shares.oneNamespace.push(nearestInNamespace.share(await find(vector, { namespaces: [entry.namespace] })));
  }
  return {
    probes: probes.length,
    all: mean(shares.all),
    oneNamespace: mean(shares.oneNamespace),
    worst: Math.min(1, ...shares.all, ...shares.oneNamespace),
  };
}

/** Which entries the memtable currently replaces, removes or adds. */
function freshAt({ all }: Memtables): (id: string) => boolean {
  const ids = new Set(all.flatMap(({ rows, outdatedIds }) => [...rows.keys(), ...outdatedIds]));
  return (id) => ids.has(id);
}

/** Entries that are only in the catalog or only in the table, without those whose change is being flushed. */
function disagreements(
  tableIds: readonly string[],
  { known, isFresh }: { known: ReadonlySet<string>; isFresh: (id: string) => boolean },
): number {
  const seen = new Set<string>();
  let count = 0;
  for (const id of tableIds) {
    if (seen.has(id) || (!known.has(id) && !isFresh(id))) count += 1;
    seen.add(id);
  }
  for (const id of known) if (!seen.has(id) && !isFresh(id)) count += 1;
  return count;
}

function findingsOf({ recall, unindexedRows, disagreements: wrong }: Omit<IndexDiagnosis, 'findings'>): string[] {
  const poor = Math.min(recall.all, recall.oneNamespace);
  const unindexed = Math.max(unindexedRows.keyword, unindexedRows.vector);
  return [
    poor < GOOD_RECALL
      ? `The vector index finds only ${Math.round(poor * 100)} % of the true neighbours; it is built again with the next writes.`
      : undefined,
    unindexed > 0 ? `${unindexed} rows of the table are not indexed yet; they are found, but slower.` : undefined,
    wrong > 0
      ? `${wrong} entries are known to only one of the table and the directory; restart Lore, and keep a copy of the store if that stays.`
      : undefined,
  ].filter((finding) => finding !== undefined);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 1 : round(values.reduce((sum, value) => sum + value, 0) / values.length);
const round = (value: number): number => Math.round(value * 1e4) / 1e4;
