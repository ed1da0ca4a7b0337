import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import { AGREEMENTS } from './speech/agreement.ts';
import { speechOf } from './speech/languages.ts';
import { CHORE } from './speech/turn-words.ts';

const LONGEST_PROPOSAL = 400;
const MOST_SENTENCES = 3;
const LEAST_SIZE = 4;
/** Who agrees says little more. */
const MOST_YES_SIZE = 10;
/** Who says more than this says how, too. */
const SHORT_YES_SIZE = 3;
const QUESTION = /[?？]["'”’)]*$/;
/** Asks whether to do what stands before it. */
const MOST_CONFIRMING_SIZE = 10;
const CONFIRMING =
  /(?<![\p{L}])(?:(?:shall|should) (?:i|we) (?:go|do it|use|take|keep|build it|make it)|(?:go|do it|ok(?:ay)?|fine) (?:that way|like that|this way|for you|with you)|sounds? (?:good|right|ok(?:ay)?)|agreed|works? for you|^use|^go with|(?:soll(?:en)? (?:ich|wir)|wollen wir) (?:das|es|so|den|die)|machen wir|passt (?:das|dir|es)|einverstanden|nehmen wir|on (?:part|fait|prend|garde|y va)|ça (?:te|vous) (?:va|convient)|d'accord|je (?:pars|prends)|(?:te|os|le|les) parece|de acuerdo|lo hacemos|tiramos|vamos con|usamos|nos quedamos|cogemos)(?![\p{L}])/iu;
/** Tells what was found or is to be done at once, and proposes nothing. */
const REPORTS = /^(?:i|i'(?:ve|m|ll)|ich|j'ai|je|he|voy|puedo|found|done|fixed)(?![\p{L}])/iu;

/** What an answer proposes: the sentence that does so and those that go on about it. */
export interface Proposal {
  readonly text: string;
  /** It says outright that it is a proposal; else only an answer that says as much as `do it that way` makes it one. */
  readonly isMeant: boolean;
  /** A question behind it asks for a yes. */
  readonly isConfirmed?: true;
}

/** The proposal of an answer, or where it answered a question the whole of a short answer; undefined where there is none. Linear. */
export function proposalIn(answer: string, { isReply }: { isReply: boolean }): Proposal | undefined {
  const sentences = sentencesOf(answer);
  const at = sentences.findIndex(({ text }) => !QUESTION.test(text) && AGREEMENTS.some(({ proposes }) => proposes.test(text)));
  if (at !== -1) return { text: together(sentences.slice(at)), isMeant: true };
  const confirmed = confirmedIn(sentences);
  if (confirmed !== undefined) return { text: confirmed, isMeant: true, isConfirmed: true };
  const text = together(sentences);
  return isReply && sentences.length <= MOST_SENTENCES + 1 && sizeOf(text) >= LEAST_SIZE ? { text, isMeant: false } : undefined;
}

/** The proposal as something agreed, if these words take it up; undefined where they do not, or ask, or say how else. */
export function agreedTo({ text, isMeant, isConfirmed }: Proposal, words: string): string | undefined {
  const [first, second] = sentencesOf(words);
  if (first === undefined || text === '') return undefined;
  // `ye. do it like that`, `ok, but use tabs`: what comes behind is heard by itself.
  const opening = sizeOf(first.text) > 2 || second === undefined ? first.text : `${first.text} ${second.text}`;
  const bare = opening.replaceAll('’', "'");
  if (QUESTION.test(bare) || sizeOf(bare) > MOST_YES_SIZE || speechOf(words).unsettled.test(bare)) return undefined;
  const isThatWay = AGREEMENTS.some(({ thatWay }) => thatWay.test(bare));
  if (!isThatWay && !(isMeant && AGREEMENTS.some(({ yes }) => yes.test(bare)))) return undefined;
  const own =
    AGREEMENTS.find(({ proposes }) => proposes.test(text)) ?? AGREEMENTS.find(({ thatWay, yes }) => thatWay.test(bare) || yes.test(bare));
  // `yes, but with a dead letter queue`; `yes, Metabase`, where the proposal names both.
  const more = !isThatWay && sizeOf(bare) > (isConfirmed === true ? 1 : SHORT_YES_SIZE) ? ` ${opening}` : '';
  return `${own?.agreed ?? ''} ${text}${more}`.trim();
}

/** What stands before a last question that asks for a yes, in its paragraph. */
function confirmedIn(sentences: readonly Sentence[]): string | undefined {
  const last = sentences.at(-1);
  if (last === undefined || !QUESTION.test(last.text) || sizeOf(last.text) > MOST_CONFIRMING_SIZE) return undefined;
  const asked = last.text.replaceAll('’', "'").replace(/^¿/, '');
  const before = sentences.slice(0, -1).filter(({ text, paragraph }) => paragraph === last.paragraph && !QUESTION.test(text));
  const [first] = before;
  if (first === undefined || !CONFIRMING.test(asked) || REPORTS.test(first.text) || CHORE.test(first.text) || CHORE.test(asked))
    return undefined;
  const text = together(before);
  return sizeOf(text) < LEAST_SIZE ? undefined : text;
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
