import { titleOf } from '../parts/plain-text.ts';

/** Names of a node. */
export interface Title {
  /** In one line, without Markdown syntax. */
  readonly whole: string;
  /** The first words, as many as fit into the picture. */
  readonly short: string;
}

const SHORT_CHARS = 28;

/** The text before the first pause, if its length is suitable. */
const FIRST_CLAUSE = /^.{10,32}?(?=[:;.,?!] | [–-] | \()/u;

/** The names of a node, made from its one-line label. */
export function titleFor(label: string): Title {
  const whole = titleOf({ content: label });
  return { whole, short: shortOf(whole) };
}

function shortOf(whole: string): string {
  if (whole.length <= SHORT_CHARS) return whole;
  const clause = FIRST_CLAUSE.exec(whole)?.[0];
  if (clause !== undefined) return clause;
  const cut = whole.slice(0, SHORT_CHARS).replace(/[\ud800-\udbff]$/, '');
  const words = whole[SHORT_CHARS] === ' ' ? cut : cut.slice(0, cut.lastIndexOf(' '));
  return `${(words.length > SHORT_CHARS / 2 ? words : cut).replace(/[\s.,;:–-]+$/, '')}…`;
}
