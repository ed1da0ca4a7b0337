import { isGeneratedFile, isTestFile } from '../../memory/file-roles.ts';
import { isOfFile } from '../../memory/vocabulary.ts';
import type { Known } from '../../store/catalog/catalog-entry.ts';
import type { Meaning } from './meaning.ts';
import { bestFirst, rankBeside, type Ranked } from './fusion.ts';

/** What a passage of a file counts against a memory that answers as well: in a memory each word stands once, a passage repeats it. */
const PASSAGE = 0.28;
/** What tests, generated files and changelogs count against code that answers as well, unless the query asks for them. */
const ASIDE = 0.5;
/** What a document counts against code that answers as well: it tells of what the code does, in words nearer to those of the question. */
const DOCUMENT = 0.7;
/**
 * What counts for a passage, and how much: its rank by words, the share of the question that stands in its path and names, and that in all of it,
 * how near the name of its file is by meaning, and (a logarithm) how many passages of the file were found.
 */
const WEIGHTS = { rank: 0.6, named: 1, coverage: 1, meaning: 0.6, passages: 0.15 };
const IS_DOCUMENT = /\.(?:md|mdx|rst|txt|adoc)$/i;
const ASKS_FOR_DOCUMENT = /\b(?:docs?|documented|documentation|guide|manual|tutorial|readme|adr)\b/i;
/** Tokens at the beginning of a passage that are its path and what it defines, as far as is known without reading it. */
const NAME_TOKENS = 20;
const ASKS_FOR_ASIDE =
  /\b(?:tests?|tested|specs?|e2e|fixtures?|mocks?|test_\w+|changelog|release notes|generated|demo)\b|\.(?:test|spec)\b/i;
/** Names what the code is wanted for, not where it stands. */
const FOR_TESTS = /\bin (?:(?:a|an|my|our|unit|integration|e2e) )+(?:tests?|specs?)\b/gi;
const FIRST_RESULTS = 5;

type KnownOf = (id: string) => Known | undefined;

/** The path of the file below its root, by the container of its passages. */
const pathOf = ({ container }: Pick<Known, 'container'>): string => container.replace(/^\w+:[\da-f]+:/, '');

/** Weighs passages of files against memories, and documents, tests and the like against code. The difference is the part `file`. */
export function weighFiles(
  ranked: readonly Ranked[],
  { query, known, meaning }: { query: string; known: KnownOf; meaning: Pick<Meaning, 'ofFile'> | undefined },
): Ranked[] {
  const takesAside = !ASKS_FOR_ASIDE.test(query.replaceAll(FOR_TESTS, ''));
  const takesCode = !ASKS_FOR_DOCUMENT.test(query);
  const files = new Map<string, { share: number; passages: number; near: number }>();
  for (const { id } of ranked) {
    const facts = known(id);
    if (!isPassage(facts)) continue;
    const file = files.get(facts.container);
    if (file !== undefined) file.passages += 1;
    else {
      const path = pathOf(facts);
      const isAside = takesAside && (isTestFile(path) || isGeneratedFile(path));
      const share = PASSAGE * (isAside ? ASIDE : 1) * (takesCode && IS_DOCUMENT.test(path) ? DOCUMENT : 1);
      files.set(facts.container, { share, passages: 1, near: meaning?.ofFile(path) ?? 0 });
    }
  }
  const weighed = ranked.map((hit): Ranked => {
    const facts = known(hit.id);
    const found = isPassage(facts) ? files.get(facts.container) : undefined;
    if (found === undefined) return hit;
    const { share, passages, near } = found;
    const file = (ofPassage(hit) + WEIGHTS.meaning * near + WEIGHTS.passages * Math.log(passages)) * share - rankBeside(hit);
    return { ...hit, rankValue: hit.rankValue + file, parts: { ...hit.parts, file } };
  });
  return weighed.toSorted(bestFirst);
}

function ofPassage(hit: Ranked): number {
  return WEIGHTS.rank * rankBeside(hit) + WEIGHTS.named * namedShare(hit) + WEIGHTS.coverage * hit.features.coverage;
}

/** 0..1: how much of the query's weight stands where a passage is named. */
function namedShare({ features: { matches } }: Ranked): number {
  let [named, weight] = [0, 0];
  for (const { term, alternative, places } of matches) {
    weight += term.idf;
    if (alternative !== undefined && (places[0] ?? NAME_TOKENS) < NAME_TOKENS) named += term.idf * alternative.weight;
  }
  return weight > 0 ? named / weight : 0;
}

/** Reorders entries so that the first five are of different files, if there are others. */
export function spreadFiles(ranked: readonly Ranked[], known: KnownOf): Ranked[] {
  const front: Ranked[] = [];
  const waiting: Ranked[] = [];
  const files = new Set<string>();
  for (const [at, hit] of ranked.entries()) {
    if (front.length >= FIRST_RESULTS) return [...front, ...waiting, ...ranked.slice(at)];
    const facts = known(hit.id);
    const file = isPassage(facts) ? facts.container : hit.id;
    (files.has(file) ? waiting : front).push(hit);
    files.add(file);
  }
  return [...front, ...waiting];
}

const isPassage = (known: Known | undefined): known is Known => known !== undefined && isOfFile(known);
