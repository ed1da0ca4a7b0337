import { isStopWord, tokenize } from '../../memory/words/tokens.ts';
import type { Ranked } from './fusion.ts';

/** Only this many of the first entries are compared. */
const COMPARED = 50;
/** A longer text has many subjects, so the order of its words matters little. */
const MAX_CHARS = 4000;

/**
 * Among entries with the same significant words, ranks those first that have them in the order of the query, including words like `from`,
 * `not` and `before`. Entries only swap places within such a group; the difference is the part `order`.
 */
export function orderSameWords(ranked: readonly Ranked[], query: string, streams: ReadonlyMap<string, string>): Ranked[] {
  const runs = runsOf(tokenize(query));
  if (runs.size === 0) return [...ranked];
  const ordered = [...ranked];
  for (const places of groupsOf(ranked, streams)) {
    const share = new Map(places.map((place) => [ranked[place]!.id, shareOf(runs, streams.get(ranked[place]!.id) ?? '')]));
    const members = places.map((place) => ranked[place]!).toSorted((a, b) => share.get(b.id)! - share.get(a.id)!);
    for (const [nth, place] of places.entries()) ordered[place] = withScoreOf(members[nth]!, ranked[place]!);
  }
  return ordered;
}

/** The places of entries with the same significant words, for each such set with more than one. */
function groupsOf(ranked: readonly Ranked[], streams: ReadonlyMap<string, string>): number[][] {
  const first = ranked.slice(0, COMPARED);
  // The same words have the same BM25: entries with different values need no comparison.
  const alike = groupsBy(first.keys(), (place) => {
    const { features } = first[place]!;
    return features.coverage > 0 ? features.plainBm25 : undefined;
  });
  return alike.flatMap((places) => groupsBy(places, (place) => wordsOf(first[place]!, streams)));
}

function wordsOf({ id, sameness }: Ranked, streams: ReadonlyMap<string, string>): string | undefined {
  const stream = streams.get(id) ?? '';
  if (stream === '' || stream.length > MAX_CHARS) return undefined;
  const words = stream.split(' ').filter((token) => !isStopWord(token));
  return `${sameness ?? ''} ${words.toSorted().join(' ')}`;
}

/** Groups of places with the same key; places without a key are left out. */
function groupsBy(places: Iterable<number>, keyOf: (place: number) => string | number | undefined): number[][] {
  const groups = new Map<string | number, number[]>();
  for (const place of places) {
    const key = keyOf(place);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function withScoreOf(hit: Ranked, before: Ranked): Ranked {
  if (hit === before) return hit;
  const parts = { ...hit.parts, order: before.rankValue - hit.rankValue };
  return { ...hit, parts, rankValue: before.rankValue, score: before.score };
}

/** All pairs and triples of neighbours: pairs alone do not distinguish `after the backup, before the report` from the reverse. */
function runsOf(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((token, at) => [`${token} ${tokens[at + 1]}`, `${token} ${tokens[at + 1]} ${tokens[at + 2]}`]).slice(0, -3),
  );
}

function shareOf(runs: ReadonlySet<string>, stream: string): number {
  const own = runsOf(stream.split(' '));
  return [...runs].filter((run) => own.has(run)).length / runs.size;
}
