import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import { AGREEMENTS } from './speech/agreement.ts';
import { speechOf } from './speech/languages.ts';

const LONGEST_PROPOSAL = 400;
const MOST_SENTENCES = 3;
const LEAST_SIZE = 4;
/** Who agrees says little more. */
const MOST_YES_SIZE = 10;
/** Who says more than this says how, too. */
const SHORT_YES_SIZE = 3;
const QUESTION = /[?？]["'”’)]*$/;

/** What an answer proposes: the sentence that does so and those that go on about it. */
export interface Proposal {
  readonly text: string;
  /** It says outright that it is a proposal; else only an answer that says as much as `do it that way` makes it one. */
  readonly isMeant: boolean;
}

/** The proposal of an answer, or where it answered a question the whole of a short answer; undefined where there is none. Linear. */
export function proposalIn(answer: string, { isReply }: { isReply: boolean }): Proposal | undefined {
  const sentences = sentencesOf(answer);
  const at = sentences.findIndex(({ text }) => !QUESTION.test(text) && AGREEMENTS.some(({ proposes }) => proposes.test(text)));
  if (at !== -1) return { text: together(sentences.slice(at)), isMeant: true };
  const text = together(sentences);
  return isReply && sentences.length <= MOST_SENTENCES + 1 && sizeOf(text) >= LEAST_SIZE ? { text, isMeant: false } : undefined;
}

/** The proposal as something agreed, if these words take it up; undefined where they do not, or ask, or say how else. */
export function agreedTo({ text, isMeant }: Proposal, words: string): string | undefined {
  const [first, second] = sentencesOf(words);
  if (first === undefined || text === '') return undefined;
  // `ye. do it like that`, `ok, but use tabs`: what comes behind is heard by itself.
  const opening = sizeOf(first.text) > 2 || second === undefined ? first.text : `${first.text} ${second.text}`;
  const bare = opening.replaceAll('’', "'");
  if (QUESTION.test(bare) || sizeOf(bare) > MOST_YES_SIZE || speechOf(words).unsettled.test(bare)) return undefined;
  const isThatWay = AGREEMENTS.some(({ thatWay }) => thatWay.test(bare));
  if (!isThatWay && !(isMeant && AGREEMENTS.some(({ yes }) => yes.test(bare)))) return undefined;
  const own = AGREEMENTS.find(({ proposes }) => proposes.test(text)) ?? AGREEMENTS.find(({ thatWay }) => thatWay.test(bare));
  // `yes, but with a dead letter queue`
  const more = !isThatWay && sizeOf(bare) > SHORT_YES_SIZE ? ` ${opening}` : '';
  return `${own?.agreed ?? ''} ${text}${more}`.trim();
}

/** The first of them in their paragraph, without the question at the end. */
function together(sentences: readonly Sentence[]): string {
  const [first] = sentences;
  const own = sentences.filter(({ text, paragraph }) => paragraph === first?.paragraph && !QUESTION.test(text)).slice(0, MOST_SENTENCES);
  let text = '';
  for (const { text: next } of own) {
    if (text.length + next.length > LONGEST_PROPOSAL) break;
    text = `${text} ${next}`.trim();
  }
  return text;
}
