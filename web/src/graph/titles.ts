import { titleOf } from '../parts/plain-text.ts';

/** What a node is called. */
export interface Title {
  /** In one line, without the signs of Markdown. */
  readonly whole: string;
  /** The first words of it, as many as a picture can hold. */
  readonly short: string;
}

const SHORT_CHARS = 28;

/** What stands before the first pause, where that is neither too little nor too much. */
const FIRST_CLAUSE = /^.{10,32}?(?=[:;.,?!] | [–-] | \()/u;

/** The names of a node by its label, which is one line already. */
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
