import type { Embedder } from '../../embeddings/embedder.ts';
import type { SearchMode } from '../../memory/entry.ts';
import type { Diagnosis } from '../../memory/operations/operations.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import type { Recall } from '../recall/recall.ts';
import { probeQuery } from './probe-queries.ts';

type Comparison = Diagnosis['search'];
type Figures = Comparison['hybrid'];

/** Number of results in which an entry is searched. */
const LIMIT = 10;
/** Entries read for each probe, because short ones give none. */
const READ_PER_PROBE = 4;
const READ_AT_ONCE = 100;
/** A slow embedder must not delay the diagnosis: it uses the comparisons made within this time. */
const LONGEST_MS = 30_000;
/**
 * A hybrid search is reported as worse only if chance would explain the losses in fewer than one of a hundred stores, and if the difference
 * is relevant.
 */
const CHANCE = 0.01;
const LEAST_LOSS = 0.03;

interface Parts {
  readonly store: Store;
  readonly recall: Pick<Recall, 'find'>;
  readonly embedder: Pick<Embedder, 'fingerprint' | 'kind'>;
  readonly defaultMode: SearchMode;
}

/**
 * Searches for entries by a few words of one of their sentences, with keyword and hybrid search, each in its namespace, and compares
 * their ranks. Does not count as use. Uses the same entries while the store is unchanged.
 */
export async function compareSearches(parts: Parts, wanted: number, signal?: AbortSignal): Promise<Comparison> {
  const { recall } = parts;
  const started = performance.now();
  const ranks: { keyword: number[]; hybrid: number[] } = { keyword: [], hybrid: [] };
  for await (const { id, namespace, query } of probes(parts, wanted)) {
    signal?.throwIfAborted();
    if (performance.now() - started > LONGEST_MS) break;
    const filter = { namespaces: [namespace], current: true as const };
    for (const mode of ['keyword', 'hybrid'] as const) {
      const found = await recall.find({ query, mode, filter, limit: LIMIT, signal });
      const at = found.findIndex(({ entry }) => entry.id === id);
      ranks[mode].push(at < 0 ? 0 : 1 / (at + 1));
    }
  }
  return comparisonOf(ranks, parts);
}

interface Probe {
  readonly id: string;
  readonly namespace: string;
  readonly query: string;
}

/** Spread over the store by creation time. */
async function* probes({ store, embedder }: Parts, wanted: number): AsyncGenerator<Probe> {
  const known = store.catalog.entries().filter((one) => !one.superseded && one.embedder === embedder.fingerprint);
  const most = Math.min(known.length, READ_PER_PROBE * wanted);
  const step = known.length / Math.max(1, most);
  // First every fourth, then the others if those are not enough.
  const chosen = Array.from({ length: most }, (_, nth) => known[Math.floor(nth * step)]!);
  const inTurn = Array.from({ length: READ_PER_PROBE }, (_, turn) => chosen.filter((__, nth) => nth % READ_PER_PROBE === turn)).flat();
  let left = wanted;
  for (let start = 0; start < inTurn.length && left > 0; start += READ_AT_ONCE) {
    const batch: CatalogEntry[] = inTurn.slice(start, start + READ_AT_ONCE);
    const contents = await store.entries.contents(batch.map(({ id }) => id));
    for (const { id, namespace } of batch) {
      const query = probeQuery(contents.get(id) ?? '');
      if (query === undefined || left === 0) continue;
      left -= 1;
      yield { id, namespace, query };
    }
  }
}

function comparisonOf(
  { keyword, hybrid }: { keyword: readonly number[]; hybrid: readonly number[] },
  { embedder, defaultMode }: Parts,
): Comparison {
  const better = hybrid.filter((rank, at) => rank > keyword[at]!).length;
  const worse = hybrid.filter((rank, at) => rank < keyword[at]!).length;
  const figures = { probes: hybrid.length, keyword: figuresOf(keyword), hybrid: figuresOf(hybrid), better, worse };
  const isClear = signTest(better, worse) < CHANCE && figures.keyword.meanReciprocalRank - figures.hybrid.meanReciprocalRank >= LEAST_LOSS;
  return isClear && defaultMode === 'hybrid' ? { ...figures, finding: findingOf(figures, embedder.kind) } : figures;
}

function findingOf({ probes: count, keyword, hybrid }: Comparison, kind: Embedder['kind']): NonNullable<Comparison['finding']> {
  const first = ({ first: share }: Figures): number => Math.round(share * count);
  return {
    problem: `Hybrid search loses to words alone on entries of this store: of ${count} entries it finds ${first(hybrid)} first, keyword search ${first(keyword)}.`,
    fix:
      kind === 'lexical'
        ? 'Leave search.vectorWeight and search.keywordWeight at their defaults, or set search.defaultMode to keyword. Then check again.'
        : 'Lower search.vectorWeight and raise search.keywordWeight (such as 0.3 and 0.7), set search.defaultMode to keyword, or use another model (embeddings.provider, such as builtin). Then check again.',
  };
}

/** Mean of reciprocal ranks; 0 for an entry that was not found. */
function figuresOf(ranks: readonly number[]): Figures {
  const share = (count: number): number => (ranks.length === 0 ? 0 : round(count / ranks.length));
  return {
    first: share(ranks.filter((rank) => rank === 1).length),
    firstFive: share(ranks.filter((rank) => rank >= 1 / 5).length),
    meanReciprocalRank: share(ranks.reduce((sum, rank) => sum + rank, 0)),
  };
}

/** Probability that a fair coin falls on its losing side at least this often: sum of C(n, k) / 2^n over k >= worse. */
function signTest(better: number, worse: number): number {
  const throws = better + worse;
  let [term, sum] = [0.5 ** throws, 0];
  for (let k = 0; k <= throws; k += 1) {
    if (k >= worse) sum += term;
    term *= (throws - k) / (k + 1);
  }
  return sum;
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
