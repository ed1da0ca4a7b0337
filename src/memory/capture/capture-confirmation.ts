import { sentencesOf, sizeOf } from './capture-text.ts';
import { cuesOf } from './language-cues/languages.ts';
import { namesValue } from './edited-values.ts';
import { contentTokens } from '../relation-cues/relation-cues-evidence.ts';

/** An answer confirms in its first sentences. */
const MOST_SENTENCES = 3;
const LONGEST = 160;
const LEAST_SIZE = 3;
/** `Raised to 10; two passes of tomorrow drop out.` */
const PART_BORDER = /;\s/;
const NUMBER = /^\d/;
const ENDED = /[.!?…。！？]["'”’)]*$/u;

/** What a person said, and what the assistant changed for it. */
export interface Confirmable {
  readonly text: string;
  /** Whether it replies to an answer that offered something, or has words of that answer. */
  readonly isReply: boolean;
  /** The answer that a reply replies to. */
  readonly offer?: string | undefined;
  /** Words that the edits of the turn brought in. */
  readonly edited: readonly string[];
}

/**
 * The sentence of an answer that confirms a statement of the person before it and names what it is about: `Hives with more than 5 mites a day
 * are red now` after `make it 5`. It repeats a value of the statement or of an edit, after a reply any word, and says something new. A rule
 * without a value names its subject itself. Undefined if there is none. Linear.
 */
export function confirmationOf({ text: statement, isReply, offer = '', edited }: Confirmable, answer: string): string | undefined {
  const said = new Set(contentTokens(statement));
  const known = new Set(isReply ? [...said, ...contentTokens(offer)] : [...said].filter((token) => NUMBER.test(token)));
  const values = edited.filter((token) => isReply || NUMBER.test(token));
  const language = cuesOf(answer);
  for (const { text } of sentencesOf(answer).slice(0, MOST_SENTENCES)) {
    const [part = ''] = text.split(PART_BORDER);
    if (part.length > LONGEST || sizeOf(part) < LEAST_SIZE || language.plan.test(part.replaceAll('’', "'"))) continue;
    const tokens = contentTokens(part);
    const repeats = tokens.some((token) => known.has(token)) || namesValue(part, values);
    if (repeats && tokens.some((token) => !said.has(token))) return ENDED.test(part) ? part : `${part}.`;
  }
  return undefined;
}

/** The statement, followed by what confirms it. */
export const confirmed = (statement: string, confirmation: string): string =>
  `${ENDED.test(statement) ? statement : `${statement}.`} ${confirmation}`;
