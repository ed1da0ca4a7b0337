import { createHash } from 'node:crypto';
import { dotProduct } from '../../memory/dot-product.ts';
import { PRIORITIES, type Entry } from '../../memory/entry.ts';
import { mayMerge } from '../../memory/same-fact/same-fact.ts';
import { sameFactKey, sameFactSketch } from '../../memory/same-fact/same-fact-key.ts';
import type { EntryRow, EntryVectors } from '../../store/tables/rows.ts';
import type { Store } from '../../store/store.ts';
import type { Drafting } from '../changes/drafting.ts';
import { isSameTags } from '../changes/near-duplicates.ts';

/** An entry that says what another one says, which stays. */
export interface SameFact {
  readonly id: string;
  readonly survivor: string;
  /** Cosine. */
  readonly similarity: number;
}

interface Parts {
  readonly store: Pick<Store, 'directory' | 'entries' | 'sides'>;
  /** Only vectors of this model are compared. */
  readonly fingerprint: string;
  /** `compaction.deduplicationSimilarityThreshold`. */
  readonly threshold: number;
  readonly drafting: Pick<Drafting, 'vectors'>;
  /** Which entries to look at. */
  readonly among: (id: string) => boolean;
  /** Gives way to requests; called after every few entries. */
  readonly pause: () => Promise<void>;
}

/** Entries read at once. */
const BATCH = 250;
/** Entries of one key that are looked at in one run, and those that stay of which each is compared with. */
const MAX_GROUP = 5000;
const MAX_SURVIVORS = 20;

/**
 * Near duplicates within one namespace and container. Only entries whose words are the same, by `sameFactKey`, are compared: what the guard
 * lets pass has the same words, so a reading of all texts finds the candidates and no search is needed. By construction whatever stays
 * for another one stays itself, and the better one stays: of higher priority, then of higher importance, then newer.
 */
export async function sameFacts(parts: Parts): Promise<SameFact[]> {
  const found: SameFact[] = [];
  for (const groups of readTogether(await candidateGroups(parts))) {
    // One reading for many groups, most of which are pairs.
    const rows = await parts.store.entries.rows(groups.flat());
    for (const ids of groups) {
      const group = ids.flatMap((id) => rows.get(id) ?? []);
      found.push(...(await duplicatesAmong(await byContent(group, parts), parts)));
    }
  }
  return found;
}

/** Groups of about a batch of ids. */
function* readTogether(groups: readonly string[][]): Generator<string[][]> {
  let together: string[][] = [];
  let count = 0;
  for (const ids of groups) {
    together.push(ids.slice(-MAX_GROUP));
    count += ids.length;
    if (count < BATCH) continue;
    yield together;
    [together, count] = [[], 0];
  }
  if (count > 0) yield together;
}

/** Ids with the same key, where there are several. */
async function candidateGroups(parts: Parts): Promise<string[][]> {
  const ids = parts.store.directory
    .known()
    .flatMap(({ id, superseded, embedder }) => (!superseded && embedder === parts.fingerprint && parts.among(id) ? [id] : []));
  const alike = await groupsBy(sameFactSketch, ids, parts);
  return await groupsBy(sameFactKey, alike.flat(), parts);
}

/** Ids in groups of two and more of which the contents, in one place, have the same key. */
async function groupsBy(keyOf: (content: string) => string, ids: readonly string[], { store, pause }: Parts): Promise<string[][]> {
  const groups = new Map<string, string[]>();
  for (let start = 0; start < ids.length; start += BATCH) {
    const contents = await store.entries.contents(ids.slice(start, start + BATCH));
    for (const [id, content] of contents) {
      const known = store.directory.get(id);
      if (known === undefined) continue;
      const text = JSON.stringify([known.namespace, known.container, keyOf(content)]);
      const key = createHash('sha256').update(text).digest('base64');
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [id]);
      else group.push(id);
      await pause();
    }
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Entries with different tags are compared by vectors of their texts alone: tags say nothing about what a text says. */
async function byContent(rows: readonly EntryRow[], { drafting }: Parts): Promise<readonly EntryRow[]> {
  const [first, ...others] = rows;
  if (first === undefined || others.every(({ entry }) => isSameTags(entry.tags, first.entry.tags))) return rows;
  // Where the model fails, those with other tags seem less alike than they are, and stay.
  const vectors = await drafting.vectors(rows.map(({ entry }) => ({ content: entry.content, tags: [] }))).catch(() => undefined);
  return vectors === undefined ? rows : rows.map((row, at) => ({ ...row, vectors: vectors[at] }));
}

async function duplicatesAmong(rows: readonly EntryRow[], { store, threshold, pause }: Parts): Promise<SameFact[]> {
  const best = rows.toSorted((a, b) => compare(b.entry, a.entry));
  const survivors: EntryRow[] = [];
  const found: SameFact[] = [];
  for (const row of best) {
    const match = survivors.find((survivor) => isSame(row, survivor, { store, threshold }));
    await pause();
    if (match !== undefined) found.push({ id: row.entry.id, survivor: match.entry.id, similarity: similarityOf(row, match) });
    else if (survivors.length < MAX_SURVIVORS) survivors.push(row);
  }
  return found;
}

function isSame(row: EntryRow, survivor: EntryRow, { store, threshold }: Pick<Parts, 'store' | 'threshold'>): boolean {
  const { graph } = store.sides;
  const { id } = row.entry;
  // What it takes the place of would come back with its end.
  if (graph.from(id).some(({ type }) => type === 'supersedes')) return false;
  const related = [...graph.from(id), ...graph.to(id)].filter((relation) =>
    [relation.sourceId, relation.targetId].includes(survivor.entry.id),
  );
  // Someone who related the two wants both.
  if (related.some(({ origin }) => origin === 'manual')) return false;
  return mayMerge(row.entry.content, survivor.entry.content, similarityOf(row, survivor), threshold);
}

function compare(one: Entry, other: Entry): number {
  return (
    PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority) ||
    one.importance - other.importance ||
    one.createdAt - other.createdAt ||
    (one.id < other.id ? -1 : 1)
  );
}

/** Cosine; of long texts that of the means of their passages. Rounded to six digits: vectors are kept as 32-bit numbers. */
function similarityOf(one: EntryRow, other: EntryRow): number {
  if (one.vectors === undefined || other.vectors === undefined || one.vectors.embedder !== other.vectors.embedder) return 0;
  const [left, right] = [meanOf(one.vectors), meanOf(other.vectors)];
  const lengths = Math.sqrt(dotProduct(left, left) * dotProduct(right, right));
  if (lengths === 0) return 0;
  return Math.min(1, Math.max(0, Math.round((dotProduct(left, right) / lengths) * 1e6) / 1e6));
}

function meanOf({ first, further }: EntryVectors): Float32Array {
  if (further.length === 0) return first;
  const sum = Float32Array.from(first);
  for (const vector of further) for (let at = 0; at < sum.length; at += 1) sum[at]! += vector[at]!;
  return sum;
}
