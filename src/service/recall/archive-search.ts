import { setTimeout as sleep } from 'node:timers/promises';
import type { ScoredEntry } from '../../memory/entry.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { WEAK_SCORE } from '../../memory/vocabulary.ts';
import type { Log } from '../../memory/log.ts';
import { readQuery, type QueryWords } from '../../memory/words/query-words.ts';
import type { Vocabulary } from '../../memory/words/word-statistics.ts';
import type { Store } from '../../store/store.ts';
import { passes } from '../../store/format/predicates.ts';
import { searchTextOf } from '../changes/drafting.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import { ArchiveIndex } from './archive-index.ts';
import { bestPassage, type PassageShape } from './best-passage.ts';
import { explanationOf } from './explaining.ts';
import { fuse, LEAST_SCORE, type Ranked } from './fusion.ts';
import { featuresOf } from './ranking.ts';
import type { RecallQuery } from './recall.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Only the most recently archived entries are searched: each takes about 1 kB of memory. */
const MAX_INDEXED = 20_000;
const BATCH = 250;
/** Entries that are read and ranked for one search, and the highest count. */
const MAX_CANDIDATES = 100;
/** How long a weak recall waits for the index of a large archive; the next one finds it built. */
const COUNT_WAIT_MS = 500;

interface Parts {
  readonly store: Pick<Store, 'auxiliary' | 'words' | 'whenCounted'>;
  readonly passages: PassageShape;
  readonly log: Log;
}

/** Results with the additions from the archive. */
interface WithArchive {
  readonly results: readonly ScoredEntry[];
  /** Number of archived entries that would match, if the results are weak and there are any. */
  readonly archivedMatches?: number;
}

/**
 * Finds archived entries by their words, because the archive has no vectors. The index is built on first use and kept up to date, so a
 * recall with good results costs nothing here.
 */
export class ArchiveSearch {
  readonly #parts: Parts;
  readonly #yielder = new EventLoopYielder();
  #index = new ArchiveIndex();
  /** Change number of the archive at the time of indexing. */
  #revision: number | undefined;
  #reading: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Adds archived entries to the results with `includeArchived`; otherwise counts them if the results are weak. */
  async addTo(results: readonly ScoredEntry[], wanted: RecallQuery, includeArchived = false): Promise<WithArchive> {
    if (includeArchived) {
      const archived = await this.find(wanted);
      return { results: [...results, ...archived].toSorted((a, b) => b.score - a.score).slice(0, wanted.limit) };
    }
    if ((results[0]?.score ?? 0) >= WEAK_SCORE) return { results };
    const archivedMatches = await this.#count(wanted);
    return archivedMatches === 0 ? { results } : { results, archivedMatches };
  }

  /** The archived entries that a search finds, best first, at most 100. */
  async find(wanted: RecallQuery): Promise<ScoredEntry[]> {
    await this.#catchUp();
    return await this.#find(wanted, Math.max(LEAST_SCORE, wanted.minScore ?? 0));
  }

  close(): void {
    this.#yielder.stop();
  }

  /** Never rejects, because it only adds to a response. */
  async #count(wanted: RecallQuery): Promise<number> {
    try {
      const isReady = this.#catchUp().then(() => true);
      // A search that stopped waiting must not fail because of it.
      isReady.catch(() => undefined);
      if (!(await Promise.race([isReady, sleep(COUNT_WAIT_MS, false, { ref: false })]))) return 0;
      return (await this.#find(wanted, Math.max(WEAK_SCORE, wanted.minScore ?? 0))).length;
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'the archive could not be searched');
      return 0;
    }
  }

  async #find({ query, filter, explain }: RecallQuery, least: number): Promise<ScoredEntry[]> {
    const { store } = this.#parts;
    await store.whenCounted();
    const words = readQuery(query, joined(store.words, this.#index));
    const tokens = [...words.tokens, ...words.commonTokens, ...words.relatedTokens];
    const read = await store.auxiliary.archive.getMany(this.#index.candidates(tokens, filter, MAX_CANDIDATES));
    const archived = new Map(read.filter(({ entry }) => passes(filter, entry)).map((one) => [one.entry.id, one]));
    const streams = [...archived].map(async ([id, { entry }]) => ({ id, stream: await searchTextOf(entry) }));
    const features = featuresOf(words, await Promise.all(streams)).filter(({ coverage }) => coverage > 0);
    const found = features.map((each) => ({ features: each, priors: {}, createdAt: archived.get(each.id)!.entry.createdAt }));
    return fuse('keyword', found, { weights: { vector: 0, keyword: 1 }, kind: 'lexical', scale: words.scale })
      .filter(({ score }) => score >= least)
      .map((hit) => this.#result(hit, archived.get(hit.id)!, { words, explained: explain === true ? { filter } : undefined }));
  }

  #result(
    hit: Ranked,
    { entry, at, reason }: ArchivedEntry,
    { words, explained }: { words: QueryWords; explained: Pick<RecallQuery, 'filter'> | undefined },
  ): ScoredEntry {
    const { passages: shape } = this.#parts;
    const passage = entry.content.length > shape.chunkSize ? bestPassage(entry.content, words, shape) : undefined;
    return {
      entry,
      score: hit.score,
      scores: hit.scores,
      archived: { at, reason },
      ...withoutUndefined({ passage }),
      ...(explained === undefined ? {} : { explanation: explanationOf(hit, { mode: 'keyword', ...explained }) }),
    };
  }

  /** Resolves when the index is up to date. */
  async #catchUp(): Promise<void> {
    const { archive } = this.#parts.store.auxiliary;
    while (this.#revision !== archive.revision) {
      this.#reading ??= this.#read(archive.revision).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #read(revision: number): Promise<void> {
    const { archive } = this.#parts.store.auxiliary;
    const cells = (await archive.cells())
      .toSorted((a, b) => Number(b['archived_at']) - Number(a['archived_at']) || (a.key < b.key ? 1 : -1))
      .slice(0, MAX_INDEXED);
    const stamps = new Map(cells.map((row) => [row.key, `${row['archived_at']} ${row['run']} ${row['namespace']}`]));
    for (const id of this.#index.ids()) if (!stamps.has(id)) this.#index.remove(id);
    if (this.#index.isWorn) this.#index = new ArchiveIndex();
    const missing = [...stamps.keys()].filter((id) => this.#index.stampOf(id) !== stamps.get(id));
    for (let start = 0; start < missing.length; start += BATCH) {
      for (const archived of await archive.getMany(missing.slice(start, start + BATCH))) {
        const stamp = stamps.get(archived.entry.id)!;
        this.#index.add(archived, { stream: await searchTextOf(archived.entry), stamp });
        await this.#yielder.pause();
      }
    }
    this.#revision = revision;
  }
}

/** Word counts of the store and the archive together, so that a word that only archived entries contain counts as known. */
function joined(store: Vocabulary, archive: ArchiveIndex): Vocabulary {
  const rows = store.rows + archive.rows;
  const tokens = store.averageLength * store.rows + archive.averageLength * archive.rows;
  return {
    rows,
    averageLength: rows === 0 ? 0 : tokens / rows,
    documentFrequency: (token) => store.documentFrequency(token) + archive.documentFrequency(token),
    lookalikes: (token) => store.lookalikes(token),
    beginningWith: (letters) => store.beginningWith(letters),
  };
}
