import { isMadeFile, isTestFile } from '../../memory/file-roles.ts';
import { isOfFile } from '../../memory/vocabulary.ts';
import type { Known } from '../../store/known.ts';
import { bestFirst, rankBeside, type Ranked } from './fusion.ts';

/** What a passage of a file counts against a memory that answers as well: in a memory each word stands once, a passage repeats it. */
const PASSAGE = 0.65;
/** What tests, generated files and changelogs count against code that answers as well, unless the query asks for them. */
const ASIDE = 0.7;
const ASKS_FOR_ASIDE =
  /\b(?:tests?|tested|specs?|e2e|fixtures?|mocks?|test_\w+|changelog|release notes|generated|demo)\b|\.(?:test|spec)\b/i;
const FIRST_RESULTS = 5;
/** Passages of one file among the first results, as long as there are others. */
const MOST_OF_FILE = 2;

type KnownOf = (id: string) => Known | undefined;

/** The path of the file below its root, by the container of its passages. */
const pathOf = ({ container }: Pick<Known, 'container'>): string => container.replace(/^\w+:[\da-f]+:/, '');

/** Weighs passages of files against memories, and tests and the like against code. The difference is the part `file`. */
export function weighFiles(ranked: readonly Ranked[], query: string, known: KnownOf): Ranked[] {
  const takesAside = !ASKS_FOR_ASIDE.test(query);
  const weighed = ranked.map((hit): Ranked => {
    const facts = known(hit.id);
    if (!isPassage(facts)) return hit;
    const path = pathOf(facts);
    const isAside = takesAside && (isTestFile(path) || isMadeFile(path));
    const file = rankBeside(hit) * (PASSAGE * (isAside ? ASIDE : 1) - 1);
    return { ...hit, rankValue: hit.rankValue + file, parts: { ...hit.parts, file } };
  });
  return weighed.toSorted(bestFirst);
}

/** The same entries, where the first five hold at most two passages of one file as long as there are others. */
export function spreadFiles(ranked: readonly Ranked[], known: KnownOf): Ranked[] {
  const front: Ranked[] = [];
  const waiting: Ranked[] = [];
  const counts = new Map<string, number>();
  for (const [at, hit] of ranked.entries()) {
    if (front.length >= FIRST_RESULTS) return [...front, ...waiting, ...ranked.slice(at)];
    const facts = known(hit.id);
    const file = isPassage(facts) ? facts.container : hit.id;
    const count = (counts.get(file) ?? 0) + 1;
    counts.set(file, count);
    (count <= MOST_OF_FILE ? front : waiting).push(hit);
  }
  return [...front, ...waiting];
}

const isPassage = (known: Known | undefined): known is Known => known !== undefined && isOfFile(known);
