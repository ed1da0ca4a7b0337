import type { Explanation, MatchedTerm } from '../../memory/operations/explanation.ts';
import type { ExplainReport } from '../../memory/operations/operations.ts';
import { stdoutColors as pc } from './colors.ts';
import { facts } from './output.ts';

/** Smaller parts of a rank round to 0. */
const SHOWN_PART = 0.005;

/**
 * The explanation of a result, in one or two lines: the matching words, and the parts of the rank. `text` (query and content) provides
 * the spelling of words.
 */
export function explanationLines(explanation: Explanation, text: string): string[] {
  const words = wordsOf(explanation, text);
  return [...(words === undefined ? [] : [`words ${words}`]), `ranked by ${sumOf(explanation)}`];
}

/** Why an entry was or was not found: the reason, then the details. `content` of the entry provides the spelling of words. */
export function formatWhy(report: ExplainReport, content: string): string {
  const { returned, rank, score, mode, filters, explanation, reason } = report;
  const about = facts([
    ['Id', report.id],
    ['Query', report.query],
    ['Mode', mode],
    ['Rank', rank?.toLocaleString('en-US')],
    ['Score', score?.toFixed(2)],
    ...filters.map(({ filter, passed }, at) => [at === 0 ? 'Filters' : '', `${filter}: ${passed ? 'passes' : 'does not pass'}`] as const),
    ['Words', explanation && wordsOf(explanation, `${report.query} ${content}`)],
    ['Cosine', explanation?.vector?.cosine.toFixed(2)],
    ['Ranked by', explanation && sumOf(explanation)],
  ]);
  return `${returned ? pc.green('Found.') : pc.yellow('Not found.')} ${reason}\n\n${about}`;
}

/** Undefined if the search did not use words. */
function wordsOf({ keyword }: Explanation, text: string): string | undefined {
  if (keyword === undefined) return undefined;
  const spelled = speller(text);
  const matched = keyword.terms.length === 0 ? 'none' : keyword.terms.map((term) => termText(term, spelled)).join(', ');
  return keyword.missing.length === 0 ? matched : `${matched}; not in it: ${keyword.missing.map(spelled).join(', ')}`;
}

function termText({ term, matched, kind, count }: MatchedTerm, spelled: (token: string) => string): string {
  const found = matched.split(' ').map(spelled).join(' ') + (count > 1 ? ` ×${count}` : '');
  return kind === 'exact' ? found : `${found} for ${spelled(term)} (${kind})`;
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LOOKED_AT_CHARS = 20_000;
const SHORTEST_STEM = 3;
const LONGEST_ENDING = 5;

/** The index has stems (`retri`, `stage`); shows the word of the text that begins like one (`retry`, `staging`). */
function speller(text: string): (token: string) => string {
  const words = [...new Set(text.slice(0, LOOKED_AT_CHARS).toLowerCase().match(WORD))];
  return (token) => {
    if (token.length < SHORTEST_STEM || words.includes(token)) return token;
    const beginning = (head: string) => words.find((word) => word.startsWith(head) && word.length <= head.length + LONGEST_ENDING);
    return beginning(token) ?? beginning(token.replace(/[ie]$/, '')) ?? token;
  };
}

/** `1.13 = bm25 0.81 + early 0.20 + …`, the largest first. */
function sumOf({ rankValue, parts }: Explanation): string {
  const shown = Object.entries(parts)
    .filter(([, part]) => Math.abs(part) >= SHOWN_PART)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, part], at) => `${at === 0 ? '' : part < 0 ? '- ' : '+ '}${name} ${(at === 0 ? part : Math.abs(part)).toFixed(2)}`);
  return shown.length === 0 ? rankValue.toFixed(2) : `${rankValue.toFixed(2)} = ${shown.join(' ')}`;
}
