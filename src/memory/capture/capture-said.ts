import { corrects, readSentences, statementsIn, type ReadSentence, type Statement } from './capture-statements.ts';
import { sentencesOf, sizeOf } from './capture-text.ts';
import { durabilityOf } from './durable/durable.ts';
import { speechOf } from './speech/languages.ts';

/** Up to this length a turn is kept in one piece. */
const LONGEST_SHORT = 360;
const FENCE = '```';
const BLANK_LINES = /\n\s*\n/;
/** Probability from which a turn is kept although no rule matched, and below which it is dropped although one did. */
const SURE = 0.6;
const DOUBTFUL = 0.4;
/** Lower for corrections: a lost correction leaves the wrong fact in place. */
const DOUBTFUL_CORRECTION = 0.3;
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
export function saidIn(text: string, before: Before = {}): Statement[] {
  const blocks = text.includes(FENCE) ? [text] : text.split(BLANK_LINES).filter((block) => block.trim() !== '');
  return blocks.flatMap((block, nth) => ofBlock(block, nth === 0 ? before : {}).map((statement) => ({ ...statement, paragraph: nth })));
}

function ofBlock(text: string, { answer, choice }: Before): Statement[] {
  const found = statementsIn(text, choice);
  if (text.length > LONGEST_SHORT) return found;
  const likely = durabilityOf({ text, before: answer });
  if (likely < (corrects(text) ? DOUBTFUL_CORRECTION : DOUBTFUL)) return [];
  if (found.length === 0 && (likely < SURE || onlyRefuses(text))) return [];
  const whole = found.length > 1 ? found : inOnePiece(text, found);
  const context = contextOf(text, answer, { isHeard: found.length > 0 });
  const [first, ...rest] = whole;
  const hasChoice = choice !== undefined && first?.text.includes(choice) === true;
  if (first === undefined || context === undefined || hasChoice) return whole;
  return [{ ...first, text: `${context} ${first.text}` }, ...rest];
}

/** Refuses without an alternative: `No, not now`. */
const onlyRefuses = (text: string): boolean => sizeOf(text) <= MOST_REFUSING && SETS_RIGHT.test(text) && !/\d/.test(text);

/** Merges the statement of a short turn with its neutral sentences, without questions and tasks. */
function inOnePiece(text: string, [found]: readonly Statement[]): Statement[] {
  const sentences = readSentences(text);
  const isPart = (sentence: ReadSentence): boolean =>
    (!sentence.says.has('question') || namesSubject(sentence)) &&
    sentence.size > 0 &&
    (found === undefined || found.text.includes(sentence.text) || isNeutral(sentence));
  const own = sentences.filter(isPart);
  const kept = own.length === 0 ? sentences : own;
  if (found !== undefined && kept.every((sentence) => found.text.includes(sentence.text))) return [found];
  const [first] = kept;
  if (first === undefined) return [];
  const kind = found?.kind ?? (kept.some(({ says }) => says.has('order') || says.has('task')) ? 'preference' : 'decision');
  return [{ kind, text: kept.map((sentence) => sentence.text).join(' '), paragraph: first.paragraph }];
}

/** `Invoices? That's Marta.` */
const namesSubject = ({ paragraph, size, text }: ReadSentence): boolean => paragraph === 0 && size <= MOST_SUBJECT && text.endsWith('?');

const NOT_NEUTRAL = ['unsettled', 'task', 'passing'] as const;
const isNeutral = ({ says }: ReadSentence): boolean => !NOT_NEUTRAL.some((each) => says.has(each));

/** The end of the assistant's answer, if an elliptical answer needs it. */
function contextOf(text: string, answer: string | undefined, { isHeard }: { readonly isHeard: boolean }): string | undefined {
  if (answer === undefined || sizeOf(text) > MOST_ELLIPTICAL) return undefined;
  const told = sentencesOf(answer).map((sentence) => sentence.text);
  const last = told.slice(-MOST_CONTEXT);
  const bare = speechOf(text).lead.removedFrom(text).trim();
  const needs = last.some((sentence) => ASKS.test(sentence)) || !isHeard || SETS_RIGHT.test(text) || SETS_RIGHT.test(bare);
  if (!needs) return undefined;
  let context = '';
  for (const sentence of last.toReversed()) {
    if (context.length + sentence.length > LONGEST_CONTEXT) break;
    context = `${sentence} ${context}`.trim();
  }
  return context === '' ? undefined : context;
}
