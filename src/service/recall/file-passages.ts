import { isGeneratedFile, isTestFile } from '../../memory/file-roles.ts';
import { isOfFile } from '../../memory/vocabulary.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Meaning } from './meaning.ts';
import { bestFirst, rankWithoutSameness, type Ranked } from './fusion.ts';

/** Weight of a passage of a file, relative to a memory that matches as well: a passage repeats its words. */
const PASSAGE = 0.28;
/** Weight of tests, generated files and changelogs, relative to code that matches as well, unless the query asks for them. */
const ASIDE = 0.5;
/** Weight of a document, relative to code that matches as well: a document describes the code in words closer to the question. */
const DOCUMENT = 0.7;
/**
 * Weights of the features of a passage: its rank by words, the share of the question in its path and names, that share in the whole
 * passage, the similarity of its file name by meaning, and the logarithm of the number of passages of the file that were found.
 */
const WEIGHTS = { rank: 0.6, named: 1, coverage: 1, meaning: 0.6, passages: 0.15 };
const IS_DOCUMENT = /\.(?:md|mdx|rst|txt|adoc)$/i;
const ASKS_FOR_DOCUMENT = /\b(?:docs?|documented|documentation|guide|manual|tutorial|readme|adr)\b/i;
/** Tokens at the beginning of a passage that are its path and what it defines; an estimate that needs no reading. */
const NAME_TOKENS = 20;
const ASKS_FOR_ASIDE =
  /\b(?:tests?|tested|specs?|e2e|fixtures?|mocks?|test_\w+|changelog|release notes|generated|demo)\b|\.(?:test|spec)\b/i;
/** Words about the purpose of a question, not about the location of code. */
const FOR_TESTS = /\bin (?:(?:a|an|my|our|unit|integration|e2e) )+(?:tests?|specs?)\b/gi;
const FIRST_RESULTS = 5;

type CatalogEntryOf = (id: string) => CatalogEntry | undefined;

/** The path of a file below its root, from the container of its passages. */
const pathOf = ({ container }: Pick<CatalogEntry, 'container'>): string => container.replace(/^\w+:[\da-f]+:/, '');

/** Ranks passages of files against memories, and documents, tests and similar files against code. The difference is the part `file`. */
export function weighFiles(
  ranked: readonly Ranked[],
  { query, known, meaning }: { query: string; known: CatalogEntryOf; meaning: Pick<Meaning, 'ofFile'> | undefined },
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
    const file = (ofPassage(hit) + WEIGHTS.meaning * near + WEIGHTS.passages * Math.log(passages)) * share - rankWithoutSameness(hit);
    return { ...hit, rankValue: hit.rankValue + file, parts: { ...hit.parts, file } };
  });
  return weighed.toSorted(bestFirst);
}

function ofPassage(hit: Ranked): number {
  return WEIGHTS.rank * rankWithoutSameness(hit) + WEIGHTS.named * namedShare(hit) + WEIGHTS.coverage * hit.features.coverage;
}

/** Share of the query's weight in the path and names of a passage, 0..1. */
function namedShare({ features: { matches } }: Ranked): number {
  let [named, weight] = [0, 0];
  for (const { term, alternative, places } of matches) {
    weight += term.idf;
    if (alternative !== undefined && (places[0] ?? NAME_TOKENS) < NAME_TOKENS) named += term.idf * alternative.weight;
  }
  return weight > 0 ? named / weight : 0;
}

/** Reorders entries so that the first five are of different files, if there are others. */
export function spreadFiles(ranked: readonly Ranked[], known: CatalogEntryOf): Ranked[] {
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

const isPassage = (known: CatalogEntry | undefined): known is CatalogEntry => known !== undefined && isOfFile(known);
