import type { QueryTerm, QueryWords } from '../../memory/words/query-words.ts';
import { queryTokens, tokenize } from '../../memory/words/tokens.ts';

/** Weight of a question word, relative to a word that names the subject. */
const ASKING = 0.1;
/** Weight of a part of an identifier, which is in the query only because the identifier is. */
const PART = 0.25;
/** Words that ask for a place, a way or an outcome in code, and say nothing about the subject. */
const ASKING_WORDS = new Set(
  queryTokens(
    'happens happen work works treat treats handle handled handles deal deals define defined definition declare declared set built made create created implement implemented implementation locate located find found keep kept decide decides determine determined done use used code file files function class method place',
  ),
);
const IS_QUESTION = /^\s*(?:where|what|how|which|when|why|who|does|do|is|are|can)\b/i;

/** The query for passages of files: question words, and parts of a name that the query contains as a whole, weigh less. */
export function codeWords(words: QueryWords, query: string): QueryWords {
  const isQuestion = IS_QUESTION.test(query);
  const parts = partsOf(query);
  const terms = words.terms.map((term): QueryTerm => {
    const share = (isQuestion && ASKING_WORDS.has(term.token) ? ASKING : 1) * (parts.has(term.token) ? PART : 1);
    return share === 1 ? term : scaled(term, share);
  });
  return { ...words, terms, weight: terms.reduce((sum, { idf }) => sum + idf, 0) };
}

function scaled(term: QueryTerm, share: number): QueryTerm {
  const alternatives = term.alternatives.map((alternative) => ({ ...alternative, idf: alternative.idf * share }));
  return { ...term, idf: term.idf * share, alternatives };
}

/** Tokens that the query contains only as parts of a compound or of a camelCase word. */
function partsOf(query: string): ReadonlySet<string> {
  const parts = new Set<string>();
  const whole = new Set<string>();
  for (const word of query.split(/\s+/)) {
    const [first, ...others] = tokenize(word);
    if (first !== undefined) whole.add(first);
    for (const token of others) parts.add(token);
  }
  for (const token of whole) parts.delete(token);
  return parts;
}
