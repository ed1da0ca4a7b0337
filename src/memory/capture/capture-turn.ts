import { corrects, readSentences, statementsIn, type ReadSentence, type Statement } from './capture-statements.ts';
import { sentencesOf, sizeOf } from './capture-text.ts';
import { durabilityOf } from './durable/durable.ts';
import { cuesOf } from './language-cues/languages.ts';

/** Up to this length a turn is kept in one piece. */
const LONGEST_SHORT = 360;
const FENCE = '```';
const BLANK_LINES = /\n\s*\n/;
/** Probability above which a turn is captured without a matching rule, and below which it is dropped despite one. */
const SURE = 0.45;
const DOUBTFUL = 0.2;
/** Lower for corrections: a lost correction leaves the wrong fact in place. */
const DOUBTFUL_CORRECTION = 0.2;
/** Of a sentence in a turn that is kept. */
const STATES = 0.2;
/** Shorter answers need the question for context. */
const MOST_ELLIPTICAL = 14;
const MOST_REFUSING = 4;
const MOST_SUBJECT = 2;
const LONGEST_CONTEXT = 320;
const MOST_CONTEXT = 3;
const ASKS = /[?？]["'”’)]*$/u;
/** Corrects the previous statement or gives a bare value. */
const SETS_RIGHT =
  /^(?:no+|nope|nah|eh no|wrong|not|nein|nee?|nicht|non|pas|surtout pas|mal|falso|faux|falsch|不|别|いや|違)(?![\p{L}])|^[\p{P}\s]*\d|^(?:不|别|いや|違)/iu;

/** Context before a turn of a person. */
interface Before {
  /** The assistant's answer before it. */
  readonly answer?: string | undefined;
  /** The assistant's question with a choice, if the turn answers it. */
  readonly choice?: string | undefined;
}

/**
 * Lasting statements in a turn of a person. Rules find statements; a classifier over words and forms, trained on labelled turns, overrules
 * them where it is confident. A short turn is kept in one piece, and an elliptical answer with its question.
 */
export function statementsOfTurn(text: string, before: Before = {}): Statement[] {
  const blocks = text.includes(FENCE) ? [text] : text.split(BLANK_LINES).filter((block) => block.trim() !== '');
  return blocks.flatMap((block, nth) => ofBlock(block, nth === 0 ? before : {}).map((statement) => ({ ...statement, paragraph: nth })));
}

function ofBlock(text: string, { answer, choice }: Before): Statement[] {
  const found = statementsIn(text, choice);
  if (text.length > LONGEST_SHORT) return found;
  const likely = durabilityOf({ text, before: answer });
  if (likely < (corrects(text) ? DOUBTFUL_CORRECTION : DOUBTFUL)) return [];
  if (found.length === 0 && (likely < SURE || onlyRefuses(text))) return [];
  const whole = inPieces(text, found, { isReply: answer !== undefined && (sizeOf(text) <= MOST_ELLIPTICAL || ASKS.test(answer.trim())) });
  const context = contextOf(text, answer, { isHeard: found.length > 0 });
  const [first, ...rest] = whole;
  const hasChoice = choice !== undefined && first?.text.includes(choice) === true;
  if (first === undefined || context === undefined || hasChoice) return whole;
  return [{ ...first, text: `${context} ${first.text}` }, ...rest];
}

/** Refuses without an alternative: `No, not now`. */
const onlyRefuses = (text: string): boolean => sizeOf(text) <= MOST_REFUSING && SETS_RIGHT.test(text) && !/\d/.test(text);

/**
 * The sentences of a short turn that state something, each found statement with its neighbours: without questions, orders for now and the
 * small talk that it begins with.
 */
function inPieces(text: string, found: readonly Statement[], { isReply }: { readonly isReply: boolean }): Statement[] {
  const sentences = readSentences(text);
  const isOf = (sentence: ReadSentence, { text: said }: Statement): boolean => said.includes(sentence.text);
  const isFound = (sentence: ReadSentence): boolean => found.some((statement) => isOf(sentence, statement));
  const isTelling = (sentence: ReadSentence): boolean =>
    sentence.size > 0 && (namesSubject(sentence) || (!sentence.says.has('question') && states(sentence)));
  // The first words of a reply say what was chosen.
  const begins = isReply ? -1 : sentences.findIndex((sentence) => isFound(sentence) || isTelling(sentence));
  const kept = sentences.filter(
    (sentence, at) => isFound(sentence) || isTelling(sentence) || (at > begins && sentence.size > 0 && isNeutral(sentence)),
  );
  const [first] = kept.length === 0 ? sentences : kept;
  if (first === undefined) return [];
  if (found.length === 0) {
    const own = kept.length === 0 ? sentences : kept;
    const kind = own.some(({ says }) => says.has('order') || says.has('task')) ? 'preference' : 'decision';
    return [{ kind, text: textOf(own), paragraph: first.paragraph }];
  }
  const pieces = found.map((statement) => ({ statement, own: [] as ReadSentence[] }));
  let at = 0;
  for (const sentence of kept) {
    const next = pieces.findIndex(({ statement }) => isOf(sentence, statement));
    if (next > at) at = next;
    pieces[at]!.own.push(sentence);
  }
  // A statement that is a part of its sentence, or joined from several, stays as it is unless there is more to say.
  return pieces.map(({ statement, own }) =>
    own.every((sentence) => isOf(sentence, statement)) ? statement : { ...statement, text: textOf(own) },
  );
}

const textOf = (sentences: readonly ReadSentence[]): string => sentences.map(({ text }) => text).join(' ');

/** `Invoices? That's Marta.` */
const namesSubject = ({ paragraph, size, text }: ReadSentence): boolean => paragraph === 0 && size <= MOST_SUBJECT && text.endsWith('?');

const NOT_NEUTRAL = ['question', 'unsettled', 'task', 'passing'] as const;
const isNeutral = ({ says }: ReadSentence): boolean => !NOT_NEUTRAL.some((each) => says.has(each));

/** Whether a sentence is more than small talk or an order for now, by its words. */
const states = ({ text }: ReadSentence): boolean => durabilityOf({ text }) >= STATES;

/** The end of the assistant's answer, if an elliptical answer needs it. */
function contextOf(text: string, answer: string | undefined, { isHeard }: { readonly isHeard: boolean }): string | undefined {
  if (answer === undefined || sizeOf(text) > MOST_ELLIPTICAL) return undefined;
  const told = sentencesOf(answer).map((sentence) => sentence.text);
  const last = told.slice(-MOST_CONTEXT);
  const bare = cuesOf(text).lead.removedFrom(text).trim();
  const needs = last.some((sentence) => ASKS.test(sentence)) || !isHeard || SETS_RIGHT.test(text) || SETS_RIGHT.test(bare);
  if (!needs) return undefined;
  let context = '';
  for (const sentence of last.toReversed()) {
    if (context.length + sentence.length > LONGEST_CONTEXT) break;
    context = `${sentence} ${context}`.trim();
  }
  return context === '' ? undefined : context;
}
