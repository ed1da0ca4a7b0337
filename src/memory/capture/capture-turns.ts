import { Dialog } from './capture-dialog.ts';
import { outcomesIn } from './capture-outcomes.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { saidIn } from './capture-said.ts';
import { corrects, statementsIn, type Statement } from './capture-statements.ts';
import { sentencesOf, sizeOf } from './capture-text.ts';
import {
  AGREES,
  BEFORE_CORRECTION,
  BUT,
  CHORE,
  CORRECTS,
  GIVES_REASON,
  LASTS,
  PROPOSES,
  STANDS_FOR,
  TAKES_BACK,
} from './speech/turn-words.ts';
import { speechOf } from './speech/languages.ts';
import { otherValuesIn } from '../other-value/other-value.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** What one side said without the other speaking between. */
export interface Turn {
  readonly by: 'person' | 'assistant';
  readonly text: string;
  /** False for one that is only here to understand the others. */
  readonly isNew: boolean;
}

/** What the turns of a session say together. */
export interface Heard {
  readonly kind: CaptureKind;
  readonly text: string;
  /** The statement without its neighbours, which this text may replace; absent where nothing was added. */
  readonly bare?: string;
  /** It is what still holds of a statement of which a part was corrected. */
  readonly isRest?: true;
}

export interface HeardSession {
  readonly heard: readonly Heard[];
  /** Statements of the session that no longer hold; `by` is what holds instead, absent where nothing does. */
  readonly gone: readonly { readonly text: string; readonly by?: string }[];
}

const MOST_AGREEING = 12;
/** An answer that names what was proposed may come after another question. */
const PROPOSALS_BACK = 3;
const LONGEST_PROPOSAL = 600;
const MOST_PROPOSED = 3;
const LONGEST_SUBJECT = 240;
const LONGEST_REASON = 300;
const LEAST_INSTEAD = 2;
/** Statements that a later one may correct: a correction comes soon. Comparing two takes up to half a millisecond. */
const CORRECTED_BACK = 30;
const MOST_COMPARED = 600;
/** Code, a number, a name: what a sentence is about. */
const DETAIL = /\d|`[^`]+`|\w[/\\]\w|\w\.\w{2,}|\b[a-z]+[A-Z]\w|\b\w+_\w+|\b[A-Z]{2,}\b|(?<!^)\b\p{Lu}\p{Ll}+/u;
const CLAUSE_BORDER = /[,;:–—.]\s|[，；。、]/u;
const ASKS = /[?？]["'”’)]*$/;

/** One statement of a person, and where it was made. */
interface Said {
  readonly kind: CaptureKind;
  statement: string;
  readonly turn: number;
  isGone: boolean;
}

/**
 * What the new turns of a session say with the ones before them: a proposal that was agreed to, a statement with its subject or its reason from another
 * turn, and which statements were taken back or corrected later. The later word wins. An answer shorter than `leastAnswer` only helps to understand the
 * others. Gives way after each turn by `pause`.
 */
export async function heardIn(
  turns: readonly Turn[],
  { leastAnswer, pause }: { readonly leastAnswer: number; readonly pause: () => Promise<void> },
): Promise<HeardSession> {
  const session = new Session(turns);
  for (const [at, { by, text, isNew }] of turns.entries()) {
    await pause();
    if (by === 'person') session.person(at);
    else session.assistant(text, { isHeard: isNew && text.length >= leastAnswer });
  }
  return { heard: session.heard, gone: session.gone };
}

class Session {
  readonly heard: Heard[] = [];
  readonly gone: { text: string; by?: string }[] = [];
  readonly #turns: readonly Turn[];
  readonly #said: Said[] = [];
  readonly #dialog = new Dialog();
  #compared = 0;

  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  assistant(text: string, { isHeard }: { readonly isHeard: boolean }): void {
    this.#dialog.noteAnswer(text);
    if (!isHeard) return;
    const found = outcomesIn(text);
    const [first] = found;
    if (first === undefined) return;
    const kind = found.some((each) => each.kind === 'fix')
      ? 'fix'
      : found.some((each) => each.kind === 'decision')
        ? 'decision'
        : first.kind;
    this.heard.push({ kind, text: found.map((each) => each.text).join(' ') });
  }

  person(at: number): void {
    const { text, isNew } = this.#turns[at] as Turn;
    const sentences = sentencesOf(text).map((sentence) => sentence.text);
    const back = sentences.findIndex((sentence) => TAKES_BACK.test(sentence));
    if (back !== -1) this.#takeBack(sentences[back] as string, { at, isNew });
    // What the events alone made plain is said in the same words again.
    const agreed = this.#dialog.agreedBy(text);
    const joined = agreed ?? this.#agreedTo(sentences, at);
    const stated = joined === undefined && back === -1 ? saidIn(text, { answer: this.#dialog.answer }) : statementsIn(text);
    const found = stated.length === 0 ? changeIn(sentences) : stated;
    this.#dialog.notePrompt(text);
    if (joined !== undefined && isNew) {
      this.heard.push({ kind: 'decision', text: joined, ...(agreed === undefined && { bare: sentences[0] as string }) });
    }
    if (found.length === 0) this.#reason(sentences, { at, isNew });
    for (const [nth, statement] of found.entries()) {
      // What only says that something no longer holds is not kept itself.
      if (back !== -1 && statement.text.includes(sentences[back] as string) && !this.#holdsInstead(statement.text)) {
        if (isNew) this.gone.push({ text: statement.text });
        continue;
      }
      if (nth === 0 && this.#reason([statement.text], { at, isNew })) continue;
      this.#state(statement, { at, isNew, isFirst: sentences[0] !== undefined && statement.text.startsWith(sentences[0]) });
    }
  }

  #state(statement: Statement, { at, isNew, isFirst }: { at: number; isNew: boolean; isFirst: boolean }): void {
    const subject = isFirst && STANDS_FOR.test(bareOf(statement.text)) ? this.#subjectBefore(at) : undefined;
    const text = subject === undefined ? statement.text : `${subject} ${statement.text}`;
    this.#correct(statement.text, { at, isNew });
    this.#said.push({ kind: statement.kind, statement: text, turn: at, isGone: false });
    if (isNew) this.heard.push({ kind: statement.kind, text, ...(subject !== undefined && { bare: statement.text }) });
  }

  /** The proposal of the assistant that these words agree to, with them. */
  #agreedTo(sentences: readonly string[], at: number): string | undefined {
    const [first = ''] = sentences;
    const spoken = first.replaceAll('’', "'");
    if (ASKS.test(first) || sizeOf(first) > MOST_AGREEING || !AGREES.test(spoken) || BUT.test(spoken)) return undefined;
    const before = this.#turns.slice(0, at);
    for (let turn = before.length - 1, back = 0; turn >= 0 && back < PROPOSALS_BACK; turn--) {
      const said = before[turn] as Turn;
      if (said.by === 'person') {
        // What was agreed to or turned down is no longer open.
        if (!ASKS.test(said.text.trim())) return undefined;
        continue;
      }
      back += 1;
      const proposal = proposalIn(said.text);
      if (proposal !== undefined && (turn === at - 1 || sharesWord(proposal, first))) return `${proposal} ${first}`;
    }
    return undefined;
  }

  /** What the turn before was about: the last thing the assistant said that names something, else what the person asked. */
  #subjectBefore(at: number): string | undefined {
    const before = this.#turns[at - 1];
    if (before === undefined) return undefined;
    const told = sentencesOf(before.text).findLast(({ text }) => !ASKS.test(text) && text.length <= LONGEST_SUBJECT && DETAIL.test(text));
    if (told !== undefined) return told.text;
    const asked = this.#turns.slice(0, at).findLast(({ by }) => by === 'person');
    const question = asked === undefined ? undefined : sentencesOf(asked.text).at(-1)?.text;
    return question !== undefined && question.length <= LONGEST_SUBJECT && DETAIL.test(question) ? question : undefined;
  }

  /** A turn that begins with the reason of what was said in the one before. */
  #reason([first = '']: readonly string[], { at, isNew }: { at: number; isNew: boolean }): boolean {
    const last = this.#said.at(-1);
    const previous = this.#turns.slice(0, at).findLastIndex(({ by }) => by === 'person');
    if (last === undefined || last.isGone || last.turn !== previous || first.length > LONGEST_REASON || ASKS.test(first)) return false;
    if (!GIVES_REASON.test(first.replaceAll('’', "'"))) return false;
    const bare = last.statement;
    last.statement = `${bare} ${first}`;
    if (isNew) this.heard.push({ kind: last.kind, text: last.statement, bare });
    return true;
  }

  /** What takes something back names it, or means what was said last. */
  #takeBack(sentence: string, { at, isNew }: { at: number; isNew: boolean }): void {
    const clauses = sentence.split(CLAUSE_BORDER).filter((clause) => TAKES_BACK.test(clause));
    const named = tellingWords((clauses.length === 0 ? sentence : clauses.join(' ')).replaceAll(TAKING, ' '));
    const previous = this.#turns.slice(0, at).findLastIndex(({ by }) => by === 'person');
    const open = this.#said.filter(({ isGone }) => !isGone);
    const meant =
      named.length === 0 ? open.findLast(({ turn }) => turn === previous) : open.findLast(({ statement }) => isNamedBy(named, statement));
    if (meant === undefined) return;
    meant.isGone = true;
    if (isNew) this.gone.push({ text: meant.statement });
  }

  /** `… drop the Tailwind decision, plain CSS modules are enough`: the rest of it says what holds. */
  #holdsInstead(text: string): boolean {
    const rest = text.split(CLAUSE_BORDER).filter((part) => !TAKES_BACK.test(part) && sizeOf(part) >= LEAST_INSTEAD);
    return rest.some((part) => corrects(part) || DETAIL.test(part) || statementsIn(part).length > 0);
  }

  #correct(statement: string, { isNew }: { at: number; isNew: boolean }): void {
    if (!CORRECTS.test(statement) && !corrects(statement)) return;
    const compare = otherValuesIn(BEFORE_CORRECTION.removedFrom(statement.replaceAll('’', "'")));
    for (const earlier of this.#said.slice(-CORRECTED_BACK)) {
      if (this.#compared > MOST_COMPARED) return;
      if (earlier.isGone || !sharesWord(earlier.statement, statement)) continue;
      this.#compared += 1;
      if (compare(earlier.statement)?.differs === undefined) continue;
      earlier.isGone = true;
      if (!isNew) continue;
      this.gone.push({ text: earlier.statement, by: statement });
      // Two short facts may have been kept as one.
      const rest = sentencesOf(earlier.statement).filter(({ text }) => compare(text)?.differs === undefined);
      for (const { kind, text } of statementsIn(rest.map(({ text }) => text).join(' '))) this.heard.push({ kind, text, isRest: true });
    }
  }
}

/** Words that take back, and name nothing. */
const TAKING =
  /(?<![\p{L}])(?:scratch|strike|forget|about|what i said|never ?mind|second thoughts?|take|back|changed|change|minds?|idea|plan|decision|rule|off|drop|hm+|actually|sorry|okay|wait|leave|doch nicht|vergiss|nehme|zurück|das|mit|den|die|der|dem|was|ich|le|la|les|ça|el|los|lo|de|oublie[zr]?|finalement|olvid\p{L}+|mejor)(?![\p{L}])/giu;

/** `Make that 400 days for good`: another value for what was spoken of before. */
function changeIn([first = '']: readonly string[]): Statement[] {
  const isChange = STANDS_FOR.test(bareOf(first)) && LASTS.test(first) && /\d|`/.test(first) && !ASKS.test(first);
  return isChange ? [{ kind: 'decision', text: first, paragraph: 0 }] : [];
}

const tellingWords = (text: string): string[] => tokenize(text).filter((token) => !isStopWord(token) && token.length > 1);

/** Half of the words that name something stand in the statement. */
function isNamedBy(named: readonly string[], statement: string): boolean {
  const words = new Set(tellingWords(statement));
  return named.filter((word) => words.has(word)).length >= named.length / 2;
}

function sharesWord(one: string, other: string): boolean {
  const known = new Set(tellingWords(one));
  return tellingWords(other).some((token) => known.has(token));
}

const bareOf = (text: string): string => speechOf(text).lead.removedFrom(text.replaceAll('’', "'")).trim();

/** The last sentences that propose how something is to be, with what stands behind them in their paragraph; no question. */
function proposalIn(text: string): string | undefined {
  const sentences = sentencesOf(text);
  const proposes = ({ text: said }: { readonly text: string }): boolean => {
    const spoken = said.replaceAll('’', "'");
    return PROPOSES.test(spoken) && !CHORE.test(spoken) && said.length <= LONGEST_PROPOSAL;
  };
  const at = sentences.findLastIndex(proposes);
  const found = sentences[at];
  if (found === undefined || sizeOf(found.text) < 4) return undefined;
  const behind = sentences.slice(at + 1, at + MOST_PROPOSED).filter((each) => each.paragraph === found.paragraph && !ASKS.test(each.text));
  return [found, ...behind].map((each) => each.text).join(' ');
}
