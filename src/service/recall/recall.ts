import type { Embedder, EmbedderChoice } from '../../embeddings/embedder.ts';
import { Meaning } from './meaning.ts';
import { isOfFile, type EntryFilter, type ScoredEntry, type SearchMode } from '../../memory/entry.ts';
import type { Log } from '../../memory/log.ts';
import type { Sameness } from '../../memory/words/same-text.ts';
import { idf, isExpansion, readQuery, type QueryWords } from '../../memory/words/query-words.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import type { PassageShape } from './best-passage.ts';
import { explanationOf } from './explaining.ts';
import { Candidates } from './candidates.ts';
import { codeWords } from './code-words.ts';
import { mayBeTurns, orderTurns } from './conversation.ts';
import { corrections } from './corrections.ts';
import { fuse, LEAST_SCORE, raiseCorrections, rankWithoutSameness, type Found, type Ranked, type Weights } from './fusion.ts';
import { ResultCache } from './result-cache.ts';
import { nearCopies, spread } from './near-copies.ts';
import { PassageChoice } from './passage-choice.ts';
import { priorsOf, type PriorWeights } from './priors.ts';
import { spreadFiles, weighFiles } from './file-passages.ts';
import { VectorLeg, type Cosines, type VectorQuery } from './vector-leg.ts';
import { Verbatim } from './verbatim.ts';
import { orderSameWords } from './word-order.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Candidates of each leg of a search: enough that the union contains the best of both, few enough to be cheap. */
const MIN_CANDIDATES = 50;
/** For the search by words when passages of files are included, because question words occur in many of them. */
const FILE_CANDIDATES = 75;
/** For the search by words that are similar to those of the question. */
const NEAR_CANDIDATES = 30;

/** Measured per kind of embedder (docs/adr/0005, 0011 and 0039); used if the configuration sets none. */
const OWN_WEIGHTS: Readonly<Record<Embedder['kind'], Weights>> = {
  semantic: { vector: 0.7, keyword: 0.3 },
  lexical: { vector: 0.1, keyword: 0.9 },
};
/** Least share of the query's weight in one entry for a result by words alone to be trusted, if the vectors also represent words. */
const SURE_COVERAGE = 0.5;

export interface RecallQuery {
  readonly query: string;
  readonly mode: SearchMode;
  readonly filter: EntryFilter;
  readonly limit: number;
  /** Number of results to rank, of which `limit` are shown at a time. */
  readonly depth?: number | undefined;
  /** Leave out entries with a lower score. */
  readonly minScore?: number | undefined;
  /** Fold near copies into the best of them. */
  readonly collapse?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  /** Configured weights. */
  readonly weights: Partial<Weights>;
  readonly priors: PriorWeights;
  readonly passages: PassageShape;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

interface Gathered {
  readonly known: Candidates;
  readonly words: QueryWords;
  /** Undefined if no vector was compared. */
  readonly cosines: Cosines | undefined;
  /** Undefined if the vectors are semantic, or the mode does not need it. */
  readonly meaning: Meaning | undefined;
  readonly sameness: ReadonlyMap<string, Sameness>;
  readonly mode: SearchMode;
  readonly also: string | undefined;
}

/** Everything that one search found, best first, with the data to explain it. */
interface Ranking {
  readonly words: QueryWords;
  readonly ranked: readonly Ranked[];
  /** Id -> search text. */
  readonly streams: ReadonlyMap<string, string>;
}

/** The results of one search, best first. */
export interface RankedResults {
  readonly words: QueryWords;
  readonly chosen: readonly Ranked[];
  /** By id of a result, the entries folded into it. */
  readonly folded: ReadonlyMap<string, readonly string[]>;
}

/** Finds entries by meaning, by words, or by both. */
export class Recall {
  readonly #parts: Parts;
  readonly #vectorLeg: VectorLeg;
  readonly #passages: PassageChoice;
  readonly #kept: ResultCache;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#vectorLeg = new VectorLeg(parts);
    this.#kept = new ResultCache(parts.store);
    this.#passages = new PassageChoice({ vectorLeg: this.#vectorLeg, shape: parts.passages });
  }

  /** Whether the active embedder is semantic. */
  get isSemantic(): boolean {
    return this.#parts.choice.active.kind === 'semantic';
  }

  /** Changes with every change of an entry. */
  get state(): string {
    return this.#kept.state;
  }

  /**
   * Best first; scores never rise down the list. Rejects with `unavailable` if the mode is `vector` and the model does not answer.
   */
  find(wanted: RecallQuery): Promise<readonly ScoredEntry[]> {
    const { signal: _, ...question } = wanted;
    const { failures } = this.#vectorLeg;
    const key = JSON.stringify([this.#parts.choice.active.fingerprint, question]);
    const find = (): Promise<readonly ScoredEntry[]> =>
      this.#kept.of(
        key,
        () => this.#find(wanted),
        () => this.#vectorLeg.failures === failures,
      );
    return this.#parts.telemetry.timed('recall', find, wanted.mode);
  }

  async #find(wanted: RecallQuery): Promise<ScoredEntry[]> {
    const arranged = await this.arrange(wanted);
    return await this.read(arranged.chosen, arranged, wanted);
  }

  /** The results in order, before entries are read. */
  async arrange(wanted: RecallQuery): Promise<RankedResults> {
    const { words, ranked, streams } = await this.rank(wanted);
    const least = Math.max(LEAST_SCORE, wanted.minScore ?? 0);
    const good = ranked.filter(({ score }) => score >= least);
    return { words, ...this.#arrange(good, { words, streams, wanted }) };
  }

  /** The entries of some results, in their order, without those deleted in the meantime. */
  async read(chosen: readonly Ranked[], { words, folded }: RankedResults, wanted: RecallQuery): Promise<ScoredEntry[]> {
    const entries = new Map((await this.#parts.store.entries.getMany(chosen.map(({ id }) => id))).map((entry) => [entry.id, entry]));
    const present = chosen.filter(({ id }) => entries.has(id));
    const passages = await this.#passages.of(
      present.map((hit) => ({ entry: entries.get(hit.id)!, matched: hit.features.coverage > 0 })),
      { query: wanted.query, words, signal: wanted.signal },
    );
    let shown = 1;
    return present.map((hit): ScoredEntry => {
      shown = Math.min(shown, hit.score);
      const passage = passages.get(hit.id);
      const copies = folded.get(hit.id);
      return {
        entry: entries.get(hit.id)!,
        score: shown,
        scores: hit.scores,
        ...withoutUndefined({ passage, collapsed: copies }),
        ...(wanted.explain === true ? { explanation: explanationOf(hit, wanted) } : {}),
      };
    });
  }

  /** All results in order, before the request's limits. `also` is ranked even if it was not found. */
  async rank(wanted: Omit<RecallQuery, 'explain' | 'minScore'>, also?: string): Promise<Ranking> {
    const { store } = this.#parts;
    const { mode } = wanted;
    await store.whenCounted();
    const words = readQuery(wanted.query, store.words);
    const known = new Candidates(store, words, codeWords(words, wanted.query));
    const verbatim = new Verbatim(store, wanted.query);
    const meaning = mode === 'hybrid' && this.#parts.choice.active.kind === 'lexical' ? new Meaning(store, wanted.query) : undefined;
    const nearest = await this.#gather(
      { ...wanted, limit: candidatesFor(wanted) },
      { words, known, verbatim, shown: wanted.limit, meaning },
    );
    await known.look([...verbatim.identical(wanted.filter), ...(nearest?.keys() ?? []), ...(also === undefined ? [] : [also])]);
    if (meaning !== undefined && nearest !== undefined) await known.look(await meaning.nearest(wanted.filter));
    const sameness = await verbatim.judge(known.streams);
    const cosines = nearest === undefined || mode === 'vector' ? nearest : await this.#filled(nearest, known, wanted);
    const weighed = this.#order({ known, words, cosines, meaning, sameness, mode, also });
    const of = (id: string): CatalogEntry | undefined => store.catalog.get(id);
    const placed = mode === 'vector' ? weighed : weighFiles(weighed, { query: wanted.query, known: of, meaning });
    const fused = orderSameWords(placed, wanted.query, known.streams);
    const ranked = mode === 'vector' ? fused : await this.#correct(await this.#orderTurns(fused, wanted.query), known.streams);
    return { words, ranked, streams: known.streams };
  }

  /** Runs the legs that the mode needs; undefined if no vector was compared. */
  async #gather(
    wanted: VectorQuery & { mode: SearchMode },
    {
      words,
      known,
      verbatim,
      shown,
      meaning,
    }: { words: QueryWords; known: Candidates; verbatim: Verbatim; shown: number; meaning: Meaning | undefined },
  ): Promise<Cosines | undefined> {
    const { catalog } = this.#parts.store;
    const mayBeFiles = wanted.filter.kind !== 'memory' && catalog.holdsFiles(wanted.filter.namespaces);
    /** The results so far often show that no entry contains the phrase. */
    const lookForPhrase = async (): Promise<void> => known.look(await verbatim.find(wanted, known.streams));
    const ask = async (tokens: readonly string[], more?: Promise<string[]>): Promise<void> => {
      const { store } = this.#parts;
      const { filter, limit } = wanted;
      const isMixed = filter.kind === undefined && filter.source === undefined && catalog.mixes(filter.namespaces);
      const found = [
        store.searchKeywords({ tokens, filter, limit: mayBeFiles ? Math.max(limit, FILE_CANDIDATES) : limit }),
        // Passages repeat their words: among many of them, no memory would be a candidate.
        ...(isMixed ? [store.searchKeywords({ tokens, filter: { ...filter, kind: 'memory' }, limit })] : []),
      ];
      const [others = [], ...hits] = await Promise.all([more, ...found]);
      await known.look([...hits.flat().map(({ id }) => id), ...others]);
    };
    const inOtherWords = async (): Promise<string[]> => {
      const tokens = mayBeFiles ? (meaning?.words() ?? []) : [];
      if (tokens.length === 0) return [];
      const filter = { ...wanted.filter, kind: 'file' as const };
      return (await this.#parts.store.searchKeywords({ tokens, filter, limit: NEAR_CANDIDATES })).map(({ id }) => id);
    };
    const isSure = (): boolean => known.features.some(({ coverage }) => coverage >= SURE_COVERAGE);
    const byWord = async (): Promise<boolean> => {
      await ask(words.tokens, inOtherWords());
      await lookForPhrase();
      if (words.commonTokens.length > 0 && known.features.length < shown) await ask(words.commonTokens);
      if (!isSure() && words.relatedTokens.length > 0) await ask(words.relatedTokens);
      return isSure();
    };
    switch (wanted.mode) {
      case 'vector': {
        const cosines = await this.#vectorLeg.search(wanted);
        await known.look([...cosines.keys()]);
        await lookForPhrase();
        return cosines;
      }
      case 'keyword':
        await byWord();
        return undefined;
      case 'hybrid':
        if (this.#mayDoWithoutVectors()) return (await byWord()) ? undefined : await this.#vectorLeg.tryToSearch(wanted);
        return (await Promise.all([this.#vectorLeg.tryToSearch(wanted), byWord()]))[0];
    }
  }

  /** Adds the cosines of entries that only the words found, which would otherwise count as 0. */
  async #filled(nearest: Cosines, known: Candidates, asked: Pick<RecallQuery, 'query' | 'signal'>): Promise<Cosines> {
    const unknown = known.features.filter(({ id, coverage }) => coverage > 0 && !nearest.has(id)).map(({ id }) => id);
    const passages = await this.#vectorLeg.passageCosines(unknown, asked);
    return new Map([...nearest, ...[...passages].map(([id, cosines]) => [id, Math.max(...cosines)] as const)]);
  }

  #order({ known, words, cosines, meaning, sameness, mode, also }: Gathered): Ranked[] {
    const { catalog } = this.#parts.store;
    const found = known.features.flatMap((features) => {
      const facts = catalog.get(features.id);
      const cosine = cosines?.get(features.id);
      const whole = sameness.get(features.id);
      const isFound = features.coverage > 0 || cosine !== undefined || whole !== undefined || features.id === also;
      if (facts === undefined) return [];
      const stream = known.streams.get(features.id) ?? '';
      const meant = meaning === undefined || isOfFile(facts) ? 0 : meaning.of(stream);
      if (!isFound && meant === 0) return [];
      // The passages of one run count as of one time, however long it took (for documents, `Ingestion` sets it): ties are in the order of
      // their files.
      const createdAt = facts.source === 'index' ? undefined : facts.createdAt;
      const { importance } = facts;
      return [
        { features, meant, createdAt, importance, coverage: features.coverage, cosine, whole, tie: isOfFile(facts) ? stream : undefined },
      ];
    });
    const priors = priorsOf(found, this.#parts.priors);
    // Written out for speed, as in `fuse`: this runs for every candidate.
    const weighed = found.map(({ features, cosine, meant, whole, createdAt = 0, tie }, at): Found => {
      return { features, cosine, meant, priors: priors[at]!, sameness: whole, createdAt, tie };
    });
    const weights = cosines === undefined ? { vector: 0, keyword: 1 } : this.#weights();
    return fuse(mode, weighed, { weights, kind: this.#parts.choice.active.kind, scale: words.scale });
  }

  async #orderTurns(ranked: readonly Ranked[], query: string): Promise<Ranked[]> {
    const { entries, catalog } = this.#parts.store;
    const isTurn = (id: string): boolean => catalog.get(id)?.source !== 'index';
    const contents = await entries.contents(mayBeTurns(ranked).filter(isTurn));
    const createdAt = (id: string): number | undefined => catalog.get(id)?.createdAt;
    return orderTurns(ranked, { query, contents, neighbours: (id) => catalog.neighbours(id), createdAt });
  }

  /** Ranks a correction above the entry that it corrects. */
  async #correct(ranked: readonly Ranked[], streams: ReadonlyMap<string, string>): Promise<Ranked[]> {
    const { entries, words, catalog } = this.#parts.store;
    const first = new Map(
      ranked.slice(0, MIN_CANDIDATES / 5).flatMap((hit) => {
        const version = catalog.get(hit.id);
        return version === undefined || version.source === 'index'
          ? []
          : [[hit.id, { version, rankValue: rankWithoutSameness(hit) }] as const];
      }),
    );
    const dated = (await entries.getMany([...first.keys()])).map(({ id, namespace, createdAt, content }) => {
      return { id, namespace, createdAt, content, stream: streams.get(id) ?? '', ...first.get(id)! };
    });
    const rarity = (token: string): number => idf(words.documentFrequency(token), words.rows);
    return raiseCorrections(ranked, corrections(dated, rarity));
  }

  /** The shown results, and by id the entries folded into each. */
  #arrange(
    all: readonly Ranked[],
    { words, streams, wanted }: { words: QueryWords; streams: ReadonlyMap<string, string>; wanted: RecallQuery },
  ): Omit<RankedResults, 'words'> {
    const { catalog } = this.#parts.store;
    const { limit, depth = limit } = wanted;
    const ranked = spreadFiles(all, (id) => catalog.get(id));
    const looked = ranked.slice(0, wanted.collapse === true ? MIN_CANDIDATES + depth : limit + MIN_CANDIDATES / 5);
    const comparable = looked.map(({ id }) => ({ id, namespace: catalog.get(id)?.namespace ?? '', stream: streams.get(id) ?? id }));
    const copies = nearCopies(comparable, askedTokens(words));
    if (wanted.collapse !== true) return { chosen: spread(ranked, copies).slice(0, depth), folded: new Map() };
    const firsts = [...copies];
    const folded = new Map<string, string[]>();
    const originals = looked.filter(({ id }, at) => {
      const first = firsts[at]!;
      if (first === at) return true;
      const of = looked[first]!.id;
      folded.set(of, [...(folded.get(of) ?? []), id]);
      return false;
    });
    return { chosen: originals.slice(0, depth), folded };
  }

  /** Hashed vectors find little that words do not; a configured weight is respected. */
  #mayDoWithoutVectors(): boolean {
    const { choice, weights } = this.#parts;
    return choice.active.kind === 'lexical' && weights.vector === undefined && weights.keyword === undefined;
  }

  /** Scaled to sum 1. */
  #weights(): Weights {
    const own = OWN_WEIGHTS[this.#parts.choice.active.kind];
    const given = this.#parts.weights;
    const vector = given.vector ?? (given.keyword === undefined ? own.vector : 1 - given.keyword);
    const keyword = given.keyword ?? (given.vector === undefined ? own.keyword : 1 - given.vector);
    const sum = vector + keyword || 1;
    return { vector: vector / sum, keyword: keyword / sum };
  }
}

/** The query words in every exact form; merely similar words do not distinguish two copies. */
const askedTokens = ({ terms }: QueryWords): ReadonlySet<string> =>
  new Set(terms.flatMap(({ alternatives }) => alternatives.filter(({ kind }) => !isExpansion(kind)).flatMap(({ tokens }) => tokens)));

/** Rows to request from a leg. For an order by cosine alone: those shown, and a few to replace near copies. */
function candidatesFor({ mode, limit, depth = limit, collapse }: Pick<RecallQuery, 'mode' | 'limit' | 'depth' | 'collapse'>): number {
  return mode === 'vector' && collapse !== true ? depth + MIN_CANDIDATES / 5 : Math.max(MIN_CANDIDATES, 2 * depth);
}
