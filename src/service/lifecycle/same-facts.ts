import { createHash } from 'node:crypto';
import { PRIORITIES, type Entry } from '../../memory/entry.ts';
import { likenessOf } from '../../memory/same-fact/likeness.ts';
import { sameFactKey, sameFactSketch } from '../../memory/same-fact/same-fact-key.ts';
import type { Store } from '../../store/store.ts';

/** A near duplicate of a kept entry. */
export interface SameFact {
  readonly id: string;
  readonly survivor: string;
  /** Of the words; see `Likeness`. */
  readonly similarity: number;
}

interface Parts {
  readonly store: Pick<Store, 'catalog' | 'entries' | 'auxiliary'>;
  /** `compaction.deduplicationSimilarityThreshold`. */
  readonly threshold: number;
  /** Which entries to look at. */
  readonly among: (id: string) => boolean;
  /** Yields to requests; called after every few entries. */
  readonly pause: () => Promise<void>;
}

/** Entries read at once. */
const BATCH = 250;
/** Per key, the number of entries compared in one run, and the number of kept ones that each is compared with. */
const MAX_GROUP = 5000;
const MAX_SURVIVORS = 20;

/**
 * Near duplicates within one namespace and container: texts that differ only in form, with a word similarity of `threshold` or more. Reads
 * no vectors. Only entries with the same words, by `sameFactKey`, are compared, so one pass over the texts finds the candidates. The better
 * entry is kept: of higher priority, then of higher importance, then newer. An entry that is kept for another one is never removed itself.
 */
export async function sameFacts(parts: Parts): Promise<SameFact[]> {
  const found: SameFact[] = [];
  for (const groups of readTogether(await candidateGroups(parts))) {
    // One read for many groups, because most are pairs.
    const entries = new Map((await parts.store.entries.getMany(groups.flat())).map((entry) => [entry.id, entry]));
    for (const ids of groups) {
      const group = ids.flatMap((id) => entries.get(id) ?? []);
      found.push(...(await duplicatesAmong(group, parts)));
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
  const ids = parts.store.catalog.entries().flatMap(({ id, superseded }) => (!superseded && parts.among(id) ? [id] : []));
  const alike = await groupsBy(sameFactSketch, ids, parts);
  return await groupsBy(sameFactKey, alike.flat(), parts);
}

/** Groups of two or more ids in one place whose contents have the same key. */
async function groupsBy(keyOf: (content: string) => string, ids: readonly string[], { store, pause }: Parts): Promise<string[][]> {
  const groups = new Map<string, string[]>();
  for (let start = 0; start < ids.length; start += BATCH) {
    const contents = await store.entries.contents(ids.slice(start, start + BATCH));
    for (const [id, content] of contents) {
      const known = store.catalog.get(id);
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

async function duplicatesAmong(entries: readonly Entry[], { store, threshold, pause }: Parts): Promise<SameFact[]> {
  const best = entries.toSorted((a, b) => compare(b, a));
  const survivors: Entry[] = [];
  const found: SameFact[] = [];
  for (const entry of best) {
    const match = firstSame(entry, survivors, { store, threshold });
    await pause();
    if (match !== undefined) found.push({ id: entry.id, ...match });
    else if (survivors.length < MAX_SURVIVORS) survivors.push(entry);
  }
  return found;
}

function firstSame(
  { id, content }: Entry,
  survivors: readonly Entry[],
  { store, threshold }: Pick<Parts, 'store' | 'threshold'>,
): Omit<SameFact, 'id'> | undefined {
  const { graph } = store.auxiliary;
  // The entry that it supersedes would become current again.
  if (graph.from(id).some(({ type }) => type === 'supersedes')) return undefined;
  // A relation made by hand means that someone wants both.
  const wanted = new Set(
    [...graph.from(id), ...graph.to(id)]
      .filter(({ origin }) => origin === 'manual')
      .flatMap(({ sourceId, targetId }) => [sourceId, targetId]),
  );
  for (const survivor of survivors) {
    if (wanted.has(survivor.id)) continue;
    const { similarity, difference } = likenessOf(content, survivor.content);
    if (difference === undefined && similarity >= threshold) return { survivor: survivor.id, similarity };
  }
  return undefined;
}

function compare(one: Entry, other: Entry): number {
  return (
    PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority) ||
    one.importance - other.importance ||
    one.createdAt - other.createdAt ||
    (one.id < other.id ? -1 : 1)
  );
}
