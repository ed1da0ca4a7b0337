import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import { AGREEMENTS } from './language-cues/agreement.ts';
import { cuesOf } from './language-cues/languages.ts';
import { CHORE } from './language-cues/turn-cues.ts';

const LONGEST_PROPOSAL = 400;
const MOST_SENTENCES = 3;
const LEAST_SIZE = 4;
/** Maximum size of an agreement, in words. */
const MOST_YES_SIZE = 10;
/** A longer agreement also contains conditions or details. */
const SHORT_YES_SIZE = 3;
/** `Yes, do it that way`. */
const THAT_WAY_SIZE = 6;
const QUESTION = /[?？]["'”’)]*$/;
/** Maximum size of a closing question that asks to confirm, in words. */
const MOST_CONFIRMING_SIZE = 10;
const CONFIRMING =
  /(?<![\p{L}])(?:(?:shall|should) (?:i|we) (?:go|do it|use|take|keep|build it|make it)|(?:go|do it|ok(?:ay)?|fine) (?:that way|like that|this way|for you|with you)|sounds? (?:good|right|ok(?:ay)?)|agreed|works? for you|^use|^go with|(?:soll(?:en)? (?:ich|wir)|wollen wir) (?:das|es|so|den|die)|machen wir|passt (?:das|dir|es)|einverstanden|nehmen wir|on (?:part|fait|prend|garde|y va)|ça (?:te|vous) (?:va|convient)|d'accord|je (?:pars|prends)|(?:te|os|le|les) parece|de acuerdo|lo hacemos|tiramos|vamos con|usamos|nos quedamos|cogemos)(?![\p{L}])/iu;
/** Reports a finding or an immediate step, and proposes nothing. */
const REPORTS = /^(?:i|i'(?:ve|m|ll)|ich|j'ai|je|he|voy|puedo|found|done|fixed)(?![\p{L}])/iu;

/** The proposal in an answer: the proposing sentence and its continuation. */
export interface Proposal {
  readonly text: string;
  /** Explicitly a proposal. Otherwise only an answer such as `do it that way` turns it into one. */
  readonly isExplicit: boolean;
  /** Followed by a question that asks for confirmation. */
  readonly isConfirmed?: true;
}

/** The proposal in an answer; for a reply to a question, the whole short answer; undefined if there is none. Linear. */
export function proposalIn(answer: string, { isReply }: { isReply: boolean }): Proposal | undefined {
  const sentences = sentencesOf(answer);
  const at = sentences.findIndex(({ text }) => !QUESTION.test(text) && AGREEMENTS.some(({ proposes }) => proposes.test(text)));
  if (at !== -1) return { text: together(sentences.slice(at)), isExplicit: true };
  const confirmed = confirmedIn(sentences);
  if (confirmed !== undefined) return { text: confirmed, isExplicit: true, isConfirmed: true };
  const text = together(sentences);
  return isReply && sentences.length <= MOST_SENTENCES + 1 && sizeOf(text) >= LEAST_SIZE ? { text, isExplicit: false } : undefined;
}

/** The proposal as an agreed decision, if `words` agree to it; undefined if they do not, or ask, or suggest something else. */
export function agreedDecision({ text, isExplicit, isConfirmed }: Proposal, words: string): string | undefined {
  const [first, second] = sentencesOf(words);
  if (first === undefined || text === '') return undefined;
  // Two short sentences count as one: `ye. do it like that`. Anything after is analysed on its own.
  const opening = sizeOf(first.text) > 2 || second === undefined ? first.text : `${first.text} ${second.text}`;
  const bare = opening.replaceAll('’', "'");
  if (QUESTION.test(bare) || sizeOf(bare) > MOST_YES_SIZE || cuesOf(words).unsettled.test(bare)) return undefined;
  const isThatWay = AGREEMENTS.some(({ thatWay }) => thatWay.test(bare));
  if (!isThatWay && !(isExplicit && AGREEMENTS.some(({ yes }) => yes.test(bare)))) return undefined;
  const own =
    AGREEMENTS.find(({ proposes }) => proposes.test(text)) ?? AGREEMENTS.find(({ thatWay, yes }) => thatWay.test(bare) || yes.test(bare));
  // Keeps details of the agreement: `yes, but with a dead letter queue`; `yes, Metabase`, if the proposal names both.
  const least = isThatWay ? THAT_WAY_SIZE : isConfirmed === true ? 1 : SHORT_YES_SIZE;
  const more = sizeOf(bare) > least ? ` ${opening}` : '';
  return `${own?.agreed ?? ''} ${text}${more}`.trim();
}

/** The text before a final confirmation question, in its paragraph. */
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

/** Joins the first sentences of a paragraph, without questions. */
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
