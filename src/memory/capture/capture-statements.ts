import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { cuesOf } from './language-cues/languages.ts';
import type { LanguageCues } from './language-cues/language-cues.ts';

/** A lasting statement. */
export interface Statement {
  readonly kind: CaptureKind;
  readonly text: string;
  readonly paragraph: number;
}

/** A sentence with its kind; undefined if it states nothing lasting. */
interface ClassifiedSentence extends Sentence {
  readonly kind: CaptureKind | undefined;
}

const LEAST_SIZE = 3;
const LONGEST_SENTENCE = 600;
/** Shorter sentences are merged with their neighbour. */
const SHORT_SIZE = 7;
const LONGEST_REASON = 300;
const MOST_REASON_SIZE = 25;
/** Borders of parts that can be statements themselves. */
const PART_BORDER = /[:;]\s+|[：；]/u;
const LEAST_FACT_SIZE = 5;
/** `Payments go through Adyen.` */
const LEAST_SENTENCE_SIZE = 4;
/** A count with a unit in words: `seven days`. */
const COUNTED =
  '(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|trente|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|doce|quince|veinte|treinta)' +
  ' (?:\\p{L}+ )?(?:(?:second|minute|hour|day|week|month|year|segundo|minuto|hora|día|semana|año|seconde|heure|jour|semaine|an)s?|times|Sekunden|Minuten|Stunden|Tagen?|Wochen|Monaten?|Jahren?|mois|meses|veces)(?!\\p{L})';
/** A number, name, path or code: the subject of a fact. */
const DETAIL = new RegExp(
  String.raw`(?<!\p{L})${COUNTED}|` +
    /\d|`[^`]+`|\w[/\\]\w|\w\/(?=[\s,.]|$)|\w\.\w{2,}|\b\w+(?:-(?!to-|of-|the-|in-|and-|by-)\w+){2,}|\b[a-z]+[A-Z]\w|\b\w+_\w+|\b[A-Z]{2,}\b|(?<!^)(?<![.!?:] )\b\p{Lu}\p{Ll}{2,}/u
      .source,
  'u',
);
/** A colon at the end announces something outside this text, such as a log or list. */
const OPEN_END = /[:：]$/;
/** The border before a side remark or reason. */
const ASIDE =
  /,\s+(?=(?:she|he|they|it(?:'s)?|so|because|which|since|as|looks?|sie|er|es|weil|denn|sonst|elle|il|ils|elles|car|parce|puisque|ella|él|porque|así)(?![\p{L}]))/iu;
/** The border before the reason of an order. */
const ORDER_REASON = /[,;]\s+(?!(?:i|i'\w+|we|we'\w+|not|no|but|ich|wir|nicht|aber|je|on|nous|pas|mais|yo|sino|pero)(?![\p{L}]))/iu;
/** A complete sentence, not a search phrase. */
const ENDED = /[.。]$/;
/** A bare shell command. */
const COMMAND_ONLY = /^[\w./-]+(?: -{1,2}\S+)+$/;
/** Quotes: not words of the person. */
const QUOTED_WORDS = /"[^"]{1,400}"|“[^”]{1,400}”|„[^“”]{1,400}[“”]|«[^»]{1,400}»/gu;
const FEW_WORDS = 3;
/** Contractions without an apostrophe; no pattern of another language matches them. */
const UNMARKED =
  /(?<![\p{L}\d'])(?:dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|werent|shouldnt|wouldnt|couldnt|lets|thats|whats|whos|theres|heres|theyre|youre|ive|weve)(?![\p{L}\d'])/giu;

/**
 * Decisions, preferences and facts stated by a person, each with the sentences that give its subject and reason. Questions, current
 * requests and assumptions are left out. `choice`: a question of the assistant that the first sentence answers. Linear.
 */
export function statementsIn(text: string, choice?: string): Statement[] {
  const language = cuesOf(text);
  const sentences = sentencesOf(text).map((sentence, at) =>
    at === 0 && choice !== undefined ? chosen(sentence, choice, language) : classified(sentence, language),
  );
  const found: (Statement & { readonly last: number })[] = [];
  for (const [at, sentence] of sentences.entries()) {
    const before = found.at(-1);
    const follows = before !== undefined && before.last === at - 1 && before.paragraph === sentence.paragraph;
    if (follows && belongsTo(before, sentence, language)) {
      found[found.length - 1] = { ...before, text: `${before.text}${between(before.text)}${sentence.text}`, last: at };
    } else if (sentence.kind !== undefined) {
      const text = withSubject(sentence, sentences[at - 1], { isTaken: before?.last === at - 1, language });
      found.push({ kind: sentence.kind, text, paragraph: sentence.paragraph, last: at });
    }
  }
  return found.map(({ kind, text: said, paragraph }) => ({ kind, text: said, paragraph }));
}

/** A sentence and its forms. */
export interface ReadSentence extends Sentence {
  readonly says: ReadonlySet<SentenceForm>;
  /** Size without lead-in words, in words. */
  readonly size: number;
}
const SENTENCE_FORMS = ['question', 'unsettled', 'task', 'order', 'passing', 'pointing'] as const;
type SentenceForm = (typeof SENTENCE_FORMS)[number];

/** Splits a text into sentences and labels each as question, open, task, order or temporary. */
export function readSentences(text: string): ReadSentence[] {
  const language = cuesOf(text);
  return sentencesOf(text).map((sentence) => {
    const bare = bareOf(sentence.text, language);
    return { ...sentence, says: new Set(SENTENCE_FORMS.filter((form) => language[form].test(bare))), size: sizeOf(bare) };
  });
}

/** Whether a text contrasts a valid thing with an invalid one. */
export function corrects(text: string): boolean {
  const language = cuesOf(text);
  return text.length <= LONGEST_SENTENCE && language.contrast.test(bareOf(text, language));
}

/** Joins the answer to a choice with its question. */
function chosen(sentence: Sentence, choice: string, language: LanguageCues): ClassifiedSentence {
  const bare = bareOf(sentence.text, language);
  if ([language.question, language.unsettled, language.task].some((pattern) => pattern.test(bare))) return classified(sentence, language);
  return { ...sentence, kind: 'decision', text: `${choice} ${sentence.text}` };
}

/** The lasting part of a sentence: all of it, or the part after a colon or semicolon. */
function classified(sentence: Sentence, language: LanguageCues): ClassifiedSentence {
  const { text } = sentence;
  const whole = kindOf(bareOf(text, language), language) ?? noticed(text, language);
  if (whole !== undefined) return { ...sentence, kind: whole };
  const parts = text.split(PART_BORDER);
  const telling = parts.findIndex((part) => kindOf(bareOf(part, language), language) !== undefined);
  if (telling === -1) return { ...sentence, kind: undefined };
  const kind = kindOf(bareOf(parts[telling] ?? '', language), language);
  const head = bareOf(parts.slice(0, telling).join('; '), language);
  // A subject before it is kept; a task or temporary remark is not.
  return { ...sentence, kind, ...(isAside(head, language) && { text: parts.slice(telling).join('; ') }) };
}

/** An explicit request to remember something. */
function noticed(text: string, language: LanguageCues): CaptureKind | undefined {
  const bare = bareOf(text, language);
  if (bare.length > LONGEST_SENTENCE || sizeOf(bare) < LEAST_FACT_SIZE || !language.notice.test(text) || isOrder(bare, language))
    return undefined;
  return language.question.test(bare) || language.unsettled.test(bare) || language.pointing.test(bare) ? undefined : 'fact';
}

const isAside = (head: string, language: LanguageCues): boolean =>
  sizeOf(head) > SHORT_SIZE || [language.task, language.order, language.passing, language.question].some((pattern) => pattern.test(head));

function kindOf(text: string, language: LanguageCues): CaptureKind | undefined {
  if (text.length > LONGEST_SENTENCE || sizeOf(text) < LEAST_SIZE || COMMAND_ONLY.test(text) || OPEN_END.test(text)) return undefined;
  if (language.question.test(text) || language.unsettled.test(text)) return undefined;
  const isLasting = language.lasting.test(text);
  // Symptoms are contrasts too: 7 instead of 15.
  const isContrast = tellsContrast(text, language);
  if (isOrder(text, language)) {
    if (isLasting) return 'preference';
    const order = partBefore(ORDER_REASON, text);
    const isRule = isContrast || (language.order.test(text) && !language.definite.test(order));
    return isRule && !language.passing.test(order) && !language.near.test(order) ? 'preference' : undefined;
  }
  const isPassing = language.passing.test(partBefore(ASIDE, text));
  if (isPassing && !isContrast) return undefined;
  const cue = language.cues.find(([, pattern]) => pattern.test(text))?.[0];
  if (cue !== undefined) return cue;
  if ((isContrast || isLasting) && (!language.pointing.test(text) || (isContrast && DETAIL.test(text)))) return 'fact';
  return isPlainFact(text, language) ? 'fact' : undefined;
}

/** A contrast that is not a symptom, except in its reason. */
function tellsContrast(text: string, language: LanguageCues): boolean {
  if (!language.contrast.test(text)) return false;
  const [first = ''] = text.split(/[,;]\s/u);
  return !language.symptom.test(language.contrast.test(first) ? first : text);
}

/** The part before a border, if it is large enough. */
function partBefore(border: RegExp, text: string): string {
  const [part = ''] = text.split(border);
  return sizeOf(part) < LEAST_SIZE ? text : part;
}

const isOrder = (text: string, language: LanguageCues): boolean => language.task.test(text) || language.order.test(text);

const isWholeSentence = (text: string, language: LanguageCues): boolean =>
  ENDED.test(text) && DETAIL.test(text) && language.verb.test(text);

/** A plain sentence with a detail or about many things; no question, request or symptom. */
function isPlainFact(text: string, language: LanguageCues): boolean {
  if (sizeOf(text) < (isWholeSentence(text, language) ? LEAST_SENTENCE_SIZE : LEAST_FACT_SIZE)) return false;
  if (language.pointing.test(text) || language.symptom.test(text)) return false;
  return language.generic.test(text) || (DETAIL.test(text) && (language.verb.test(text) || ENDED.test(text)));
}

/** The sentence without lead-in words and long quotes, with plain apostrophes, also restored ones. */
function bareOf(sentence: string, language: LanguageCues): string {
  const spoken = sentence.replaceAll(QUOTED_WORDS, (quote) => (sizeOf(quote) > FEW_WORDS ? '"…"' : quote));
  const plain = spoken.replaceAll('’', "'").replaceAll(UNMARKED, (word) => word.replace(/(?:t|s|re|ve)$/i, "'$&"));
  return language.lead.removedFrom(plain).trim();
}

/** Whether a sentence continues the statement before it: gives a reason, stays on the subject, or one of both is too short alone. */
function belongsTo(statement: Statement, { text: sentence, kind }: ClassifiedSentence, language: LanguageCues): boolean {
  const text = bareOf(sentence, language);
  if (text.length > LONGEST_REASON || language.question.test(text) || language.unsettled.test(text)) return false;
  if (kind === undefined && isOrder(text, language)) return false;
  if (language.leaning.test(text) || language.reason.test(text)) return true;
  if (kind !== undefined)
    return Math.min(sizeOf(bareOf(statement.text, language)), sizeOf(text)) < SHORT_SIZE || language.anaphor.test(text);
  const isAbout = (statement.kind === 'decision' || language.anaphor.test(text)) && sizeOf(text) <= MOST_REASON_SIZE;
  return isAbout && !language.passing.test(text) && !language.pointing.test(text);
}

/** The sentence, preceded by the one before it if only that names the subject. */
function withSubject(
  { text, paragraph }: ClassifiedSentence,
  before: ClassifiedSentence | undefined,
  { isTaken, language }: { isTaken: boolean; language: LanguageCues },
): string {
  if (before === undefined || isTaken || before.paragraph !== paragraph || !language.leaning.test(bareOf(text, language))) return text;
  const bare = bareOf(before.text, language);
  if (language.question.test(bare) || sizeOf(bare) < LEAST_SIZE) return text;
  return `${before.text}${between(before.text)}${text}`;
}

/** No blank between sentences in scripts without blanks. */
const between = (text: string): string => (/[。！？]$/u.test(text) ? '' : ' ');
