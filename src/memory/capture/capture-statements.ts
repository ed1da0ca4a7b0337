import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { speechOf } from './speech/languages.ts';
import type { Speech } from './speech/speech.ts';

/** Something said that will still be true tomorrow. */
export interface Statement {
  readonly kind: CaptureKind;
  readonly text: string;
  readonly paragraph: number;
}

/** A sentence, and what it says that holds for long; no kind where it says nothing of the kind. */
interface Heard extends Sentence {
  readonly kind: CaptureKind | undefined;
}

const LEAST_SIZE = 3;
const LONGEST_SENTENCE = 600;
/** A sentence that stands alone says more than this, or it goes with its neighbour. */
const SHORT_SIZE = 7;
const LONGEST_REASON = 300;
const MOST_REASON_SIZE = 25;
/** What stands behind a colon or a semicolon may say something of its own. */
const PART_BORDER = /[:;]\s+|[：；]/u;
const LEAST_FACT_SIZE = 5;
/** `Payments go through Adyen.` */
const LEAST_SENTENCE_SIZE = 4;
/** `seven days`, in words. */
const COUNTED =
  '(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|trente|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|doce|quince|veinte|treinta)' +
  ' (?:\\p{L}+ )?(?:(?:second|minute|hour|day|week|month|year|segundo|minuto|hora|día|semana|año|seconde|heure|jour|semaine|an)s?|times|Sekunden|Minuten|Stunden|Tagen?|Wochen|Monaten?|Jahren?|mois|meses|veces)(?!\\p{L})';
/** A number, a name, a path, code: what a fact is about. */
const DETAIL = new RegExp(
  String.raw`(?<!\p{L})${COUNTED}|` +
    /\d|`[^`]+`|\w[/\\]\w|\w\/(?=[\s,.]|$)|\w\.\w{2,}|\b\w+(?:-(?!to-|of-|the-|in-|and-|by-)\w+){2,}|\b[a-z]+[A-Z]\w|\b\w+_\w+|\b[A-Z]{2,}\b|(?<!^)(?<![.!?:] )\b\p{Lu}\p{Ll}{2,}/u
      .source,
  'u',
);
/** Ends where something follows that is not part of this text: a log, a list. */
const OPEN_END = /[:：]$/;
/** Behind it stands why, or who minds, and no longer what holds. */
const ASIDE =
  /,\s+(?=(?:she|he|they|it(?:'s)?|so|because|which|since|as|looks?|sie|er|es|weil|denn|sonst|elle|il|ils|elles|car|parce|puisque|ella|él|porque|así)(?![\p{L}]))/iu;
/** The reason of an order, unless it tells what somebody does now. */
const ORDER_REASON = /[,;]\s+(?!(?:i|i'\w+|we|we'\w+|not|no|but|ich|wir|nicht|aber|je|on|nous|pas|mais|yo|sino|pero)(?![\p{L}]))/iu;
/** A sentence, not a search for one. */
const ENDED = /[.。]$/;
/** Not a sentence but a command. */
const COMMAND_ONLY = /^[\w./-]+(?: -{1,2}\S+)+$/;
/** Somebody else's words, or words that are talked about: they do not say what the sentence says. */
const QUOTED_WORDS = /"[^"]{1,400}"|“[^”]{1,400}”|„[^“”]{1,400}[“”]|«[^»]{1,400}»/gu;
const FEW_WORDS = 3;
/** Typed in a hurry; no pattern of another language has one of them. */
const UNMARKED =
  /(?<![\p{L}\d'])(?:dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|werent|shouldnt|wouldnt|couldnt|lets|thats|whats|whos|theres|heres|theyre|youre|ive|weve)(?![\p{L}\d'])/giu;

/**
 * Decisions, preferences and facts that a person states, each with the sentences that give it its subject and its reason. Questions, wishes for
 * now and suppositions are none. `choice` is a question of the assistant that the first sentence answers. Linear.
 */
export function statementsIn(text: string, choice?: string): Statement[] {
  const speech = speechOf(text);
  const sentences = sentencesOf(text).map((sentence, at) =>
    at === 0 && choice !== undefined ? chosen(sentence, choice, speech) : heard(sentence, speech),
  );
  const found: (Statement & { readonly last: number })[] = [];
  for (const [at, sentence] of sentences.entries()) {
    const before = found.at(-1);
    const follows = before !== undefined && before.last === at - 1 && before.paragraph === sentence.paragraph;
    if (follows && belongsTo(before, sentence, speech)) {
      found[found.length - 1] = { ...before, text: `${before.text}${between(before.text)}${sentence.text}`, last: at };
    } else if (sentence.kind !== undefined) {
      const text = withSubject(sentence, sentences[at - 1], { isTaken: before?.last === at - 1, speech });
      found.push({ kind: sentence.kind, text, paragraph: sentence.paragraph, last: at });
    }
  }
  return found.map(({ kind, text: said, paragraph }) => ({ kind, text: said, paragraph }));
}

/** A sentence, and what its words show. */
export interface ReadSentence extends Sentence {
  readonly says: ReadonlySet<SentenceForm>;
  /** Without what stands before it and says nothing, in words. */
  readonly size: number;
}
const SENTENCE_FORMS = ['question', 'unsettled', 'task', 'order', 'passing', 'pointing'] as const;
type SentenceForm = (typeof SENTENCE_FORMS)[number];

/** The sentences of a text, and which of them ask, are open, want something done or tell of now. */
export function readSentences(text: string): ReadSentence[] {
  const speech = speechOf(text);
  return sentencesOf(text).map((sentence) => {
    const bare = bareOf(sentence.text, speech);
    return { ...sentence, says: new Set(SENTENCE_FORMS.filter((form) => speech[form].test(bare))), size: sizeOf(bare) };
  });
}

/** Whether a text says that one thing holds and not the other. */
export function corrects(text: string): boolean {
  const speech = speechOf(text);
  return text.length <= LONGEST_SENTENCE && speech.contrast.test(bareOf(text, speech));
}

/** An answer to a choice says what was chosen only with the question. */
function chosen(sentence: Sentence, choice: string, speech: Speech): Heard {
  const bare = bareOf(sentence.text, speech);
  if ([speech.question, speech.unsettled, speech.task].some((pattern) => pattern.test(bare))) return heard(sentence, speech);
  return { ...sentence, kind: 'decision', text: `${choice} ${sentence.text}` };
}

/** What of a sentence of a person holds for long: the whole of it, or what stands behind a colon or a semicolon. */
function heard(sentence: Sentence, speech: Speech): Heard {
  const { text } = sentence;
  const whole = kindOf(bareOf(text, speech), speech) ?? noticed(text, speech);
  if (whole !== undefined) return { ...sentence, kind: whole };
  const parts = text.split(PART_BORDER);
  const telling = parts.findIndex((part) => kindOf(bareOf(part, speech), speech) !== undefined);
  if (telling === -1) return { ...sentence, kind: undefined };
  const kind = kindOf(bareOf(parts[telling] ?? '', speech), speech);
  const head = bareOf(parts.slice(0, telling).join('; '), speech);
  // What only names the subject stays before it; work that is asked for, and what is true for an hour, does not.
  return { ...sentence, kind, ...(isAside(head, speech) && { text: parts.slice(telling).join('; ') }) };
}

/** A person says that this is to be remembered, whatever it is. */
function noticed(text: string, speech: Speech): CaptureKind | undefined {
  const bare = bareOf(text, speech);
  if (bare.length > LONGEST_SENTENCE || sizeOf(bare) < LEAST_FACT_SIZE || !speech.notice.test(text) || isOrder(bare, speech))
    return undefined;
  return speech.question.test(bare) || speech.unsettled.test(bare) || speech.pointing.test(bare) ? undefined : 'fact';
}

const isAside = (head: string, speech: Speech): boolean =>
  sizeOf(head) > SHORT_SIZE || [speech.task, speech.order, speech.passing, speech.question].some((pattern) => pattern.test(head));

function kindOf(text: string, speech: Speech): CaptureKind | undefined {
  if (text.length > LONGEST_SENTENCE || sizeOf(text) < LEAST_SIZE || COMMAND_ONLY.test(text) || OPEN_END.test(text)) return undefined;
  if (speech.question.test(text) || speech.unsettled.test(text)) return undefined;
  const isLasting = speech.lasting.test(text);
  // What goes wrong is told as a contrast, too: 7 instead of 15.
  const isContrast = tellsContrast(text, speech);
  if (isOrder(text, speech)) {
    if (isLasting) return 'preference';
    const order = partBefore(ORDER_REASON, text);
    const isRule = isContrast || (speech.order.test(text) && !speech.definite.test(order));
    return isRule && !speech.passing.test(order) && !speech.near.test(order) ? 'preference' : undefined;
  }
  const isPassing = speech.passing.test(partBefore(ASIDE, text));
  if (isPassing && !isContrast) return undefined;
  const cue = speech.cues.find(([, pattern]) => pattern.test(text))?.[0];
  if (cue !== undefined) return cue;
  if ((isContrast || isLasting) && (!speech.pointing.test(text) || (isContrast && DETAIL.test(text)))) return 'fact';
  return isPlainFact(text, speech) ? 'fact' : undefined;
}

/** One thing and not the other, and no complaint, unless that is the reason. */
function tellsContrast(text: string, speech: Speech): boolean {
  if (!speech.contrast.test(text)) return false;
  const [first = ''] = text.split(/[,;]\s/u);
  return !speech.symptom.test(speech.contrast.test(first) ? first : text);
}

/** Where that is a part which says something. */
function partBefore(border: RegExp, text: string): string {
  const [part = ''] = text.split(border);
  return sizeOf(part) < LEAST_SIZE ? text : part;
}

const isOrder = (text: string, speech: Speech): boolean => speech.task.test(text) || speech.order.test(text);

const isWholeSentence = (text: string, speech: Speech): boolean => ENDED.test(text) && DETAIL.test(text) && speech.verb.test(text);

/** A plain sentence about many things or with a detail in it, that neither asks, nor wants, nor complains. */
function isPlainFact(text: string, speech: Speech): boolean {
  if (sizeOf(text) < (isWholeSentence(text, speech) ? LEAST_SENTENCE_SIZE : LEAST_FACT_SIZE)) return false;
  if (speech.pointing.test(text) || speech.symptom.test(text)) return false;
  return speech.generic.test(text) || (DETAIL.test(text) && (speech.verb.test(text) || ENDED.test(text)));
}

/** Without what stands before it and says nothing and without long quotes, and with plain apostrophes, also those that were left out. */
function bareOf(sentence: string, speech: Speech): string {
  const spoken = sentence.replaceAll(QUOTED_WORDS, (quote) => (sizeOf(quote) > FEW_WORDS ? '"…"' : quote));
  const plain = spoken.replaceAll('’', "'").replaceAll(UNMARKED, (word) => word.replace(/(?:t|s|re|ve)$/i, "'$&"));
  return speech.lead.removedFrom(plain).trim();
}

/** Whether a sentence is part of the statement before it: gives the reason, goes on about the same, or one of both is too short to stand alone. */
function belongsTo(statement: Statement, { text: sentence, kind }: Heard, speech: Speech): boolean {
  const text = bareOf(sentence, speech);
  if (text.length > LONGEST_REASON || speech.question.test(text) || speech.unsettled.test(text)) return false;
  if (kind === undefined && isOrder(text, speech)) return false;
  if (speech.leaning.test(text) || speech.reason.test(text)) return true;
  if (kind !== undefined) return Math.min(sizeOf(bareOf(statement.text, speech)), sizeOf(text)) < SHORT_SIZE || speech.anaphor.test(text);
  const isAbout = (statement.kind === 'decision' || speech.anaphor.test(text)) && sizeOf(text) <= MOST_REASON_SIZE;
  return isAbout && !speech.passing.test(text) && !speech.pointing.test(text);
}

/** The sentence, with the one before it where only that names what it is about. */
function withSubject(
  { text, paragraph }: Heard,
  before: Heard | undefined,
  { isTaken, speech }: { isTaken: boolean; speech: Speech },
): string {
  if (before === undefined || isTaken || before.paragraph !== paragraph || !speech.leaning.test(bareOf(text, speech))) return text;
  const bare = bareOf(before.text, speech);
  if (speech.question.test(bare) || sizeOf(bare) < LEAST_SIZE) return text;
  return `${before.text}${between(before.text)}${text}`;
}

/** Scripts without blanks have none between sentences. */
const between = (text: string): string => (/[。！？]$/u.test(text) ? '' : ' ');
