import { Dialog } from './capture-dialog.ts';
import { outcomesIn } from './capture-outcomes.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { statementsOfTurn } from './capture-turn.ts';
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
} from './language-cues/turn-cues.ts';
import { cuesOf } from './language-cues/languages.ts';
import { otherValuesIn } from '../other-value/other-value.ts';
import { numberSynonyms } from '../words/numbers.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** Consecutive messages of one speaker. */
export interface Turn {
  readonly by: 'person' | 'assistant';
  readonly text: string;
  /** False: context only. */
  readonly isNew: boolean;
  /** The text with its lists and tables, which may offer options; default `text`. */
  readonly whole?: string;
}

/** A statement or outcome derived from the turns of a session. */
export interface SessionStatement {
  readonly kind: CaptureKind;
  readonly text: string;
  /** The statement without added context, which this text may replace; absent if none was added. */
  readonly bare?: string;
  /** The still valid rest of a partly corrected statement. */
  readonly isRest?: true;
}

export interface SessionStatements {
  readonly statements: readonly SessionStatement[];
  /** Statements that no longer hold; `by`: the replacement, if any. */
  readonly retracted: readonly { readonly text: string; readonly by?: string }[];
}

const MOST_AGREEING = 12;
/** How many answers back a proposal may be, if the agreement names it. */
const PROPOSALS_BACK = 3;
const LONGEST_PROPOSAL = 600;
const MOST_PROPOSED = 3;
const LONGEST_SUBJECT = 240;
const LONGEST_REASON = 300;
const LEAST_INSTEAD = 2;
/** Number of earlier statements compared with a correction. One comparison takes up to half a millisecond. */
const CORRECTED_BACK = 30;
const MOST_COMPARED = 600;
/** Code, number or name: the subject of a sentence. */
const DETAIL = /\d|`[^`]+`|\w[/\\]\w|\w\.\w{2,}|\b[a-z]+[A-Z]\w|\b\w+_\w+|\b[A-Z]{2,}\b|(?<!^)\b\p{Lu}\p{Ll}+/u;
const CLAUSE_BORDER = /[,;:–—.]\s|[，；。、]/u;
const ASKS = /[?？]["'”’)]*$/;

/** A statement of a person, and its turn. */
interface SaidStatement {
  readonly kind: CaptureKind;
  statement: string;
  readonly turn: number;
  isGone: boolean;
}

/**
 * Statements and outcomes of the new turns of a session, using earlier turns as context: agreed proposals, statements completed with a
 * subject or reason from another turn, and retracted or corrected statements. The later statement wins. Answers shorter than `leastAnswer`
 * are context only. Calls `pause` between turns.
 */
export async function statementsOfSession(
  turns: readonly Turn[],
  { leastAnswer, pause }: { readonly leastAnswer: number; readonly pause: () => Promise<void> },
): Promise<SessionStatements> {
  const session = new Session(turns);
  for (const [at, { by, text, isNew, whole = text }] of turns.entries()) {
    await pause();
    if (by === 'person') session.person(at);
    else session.assistant(text, { whole, isHeard: isNew && text.length >= leastAnswer });
  }
  return { statements: session.statements, retracted: session.retracted };
}

class Session {
  readonly statements: SessionStatement[] = [];
  readonly retracted: { text: string; by?: string }[] = [];
  readonly #turns: readonly Turn[];
  readonly #said: SaidStatement[] = [];
  readonly #dialog = new Dialog();
  #compared = 0;

  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  assistant(text: string, { whole, isHeard }: { readonly whole: string; readonly isHeard: boolean }): void {
    this.#dialog.noteAnswer(whole);
    if (!isHeard) return;
    const found = outcomesIn(text);
    const [first] = found;
    if (first === undefined) return;
    const kind = found.some((each) => each.kind === 'fix')
      ? 'fix'
      : found.some((each) => each.kind === 'decision')
        ? 'decision'
        : first.kind;
    this.statements.push({ kind, text: found.map((each) => each.text).join(' ') });
  }

  person(at: number): void {
    const { text, isNew } = this.#turns[at] as Turn;
    const sentences = sentencesOf(text).map((sentence) => sentence.text);
    const back = sentences.findIndex((sentence) => TAKES_BACK.test(sentence));
    if (back !== -1) this.#retract(sentences[back] as string, { at, isNew });
    // An agreement already found from single events is repeated in the same words.
    const agreed = this.#dialog.agreedBy(text);
    const joined = agreed ?? this.#agreedTo(sentences, at);
    const stated = joined === undefined && back === -1 ? statementsOfTurn(text, { answer: this.#dialog.answer }) : statementsIn(text);
    const found = stated.length === 0 ? changeIn(sentences) : stated;
    this.#dialog.notePrompt(text);
    if (joined !== undefined && isNew) {
      this.statements.push({ kind: 'decision', text: joined, ...(agreed === undefined && { bare: sentences[0] as string }) });
    }
    if (found.length === 0) this.#reason(sentences, { at, isNew });
    for (const [nth, statement] of found.entries()) {
      // A sentence that only retracts is not kept itself.
      if (back !== -1 && statement.text.includes(sentences[back] as string) && !this.#holdsInstead(statement.text)) {
        if (isNew) this.retracted.push({ text: statement.text });
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
    if (isNew) this.statements.push({ kind: statement.kind, text, ...(subject !== undefined && { bare: statement.text }) });
  }

  /** The assistant's proposal joined with the words that agree to it. */
  #agreedTo(sentences: readonly string[], at: number): string | undefined {
    const [first = ''] = sentences;
    const spoken = first.replaceAll('’', "'");
    if (ASKS.test(first) || sizeOf(first) > MOST_AGREEING || !AGREES.test(spoken) || BUT.test(spoken)) return undefined;
    const before = this.#turns.slice(0, at);
    for (let turn = before.length - 1, back = 0; turn >= 0 && back < PROPOSALS_BACK; turn--) {
      const said = before[turn] as Turn;
      if (said.by === 'person') {
        // Earlier proposals are closed by a reply.
        if (!ASKS.test(said.text.trim())) return undefined;
        continue;
      }
      back += 1;
      const proposal = proposalIn(said.text);
      if (proposal !== undefined && (turn === at - 1 || sharesWord(proposal, first))) return `${proposal} ${first}`;
    }
    return undefined;
  }

  /** Subject of the previous turn: the assistant's last sentence with a detail, else the person's question. */
  #subjectBefore(at: number): string | undefined {
    const before = this.#turns[at - 1];
    if (before === undefined) return undefined;
    const told = sentencesOf(before.text).findLast(({ text }) => !ASKS.test(text) && text.length <= LONGEST_SUBJECT && DETAIL.test(text));
    if (told !== undefined) return told.text;
    const asked = this.#turns.slice(0, at).findLast(({ by }) => by === 'person');
    const question = asked === undefined ? undefined : sentencesOf(asked.text).at(-1)?.text;
    return question !== undefined && question.length <= LONGEST_SUBJECT && DETAIL.test(question) ? question : undefined;
  }

  /** Appends the reason at the beginning of a turn to the statement of the previous turn. Returns whether it did. */
  #reason([first = '']: readonly string[], { at, isNew }: { at: number; isNew: boolean }): boolean {
    const last = this.#said.at(-1);
    const previous = this.#turns.slice(0, at).findLastIndex(({ by }) => by === 'person');
    if (last === undefined || last.isGone || last.turn !== previous || first.length > LONGEST_REASON || ASKS.test(first)) return false;
    if (!GIVES_REASON.test(first.replaceAll('’', "'"))) return false;
    const bare = last.statement;
    last.statement = `${bare} ${first}`;
    if (isNew) this.statements.push({ kind: last.kind, text: last.statement, bare });
    return true;
  }

  /** Marks the statement that a sentence retracts: the one it names, else the last one. */
  #retract(sentence: string, { at, isNew }: { at: number; isNew: boolean }): void {
    const clauses = sentence.split(CLAUSE_BORDER).filter((clause) => TAKES_BACK.test(clause));
    const named = tellingWords((clauses.length === 0 ? sentence : clauses.join(' ')).replaceAll(TAKING, ' '));
    const previous = this.#turns.slice(0, at).findLastIndex(({ by }) => by === 'person');
    const open = this.#said.filter(({ isGone }) => !isGone);
    const meant =
      named.length === 0 ? open.findLast(({ turn }) => turn === previous) : open.findLast(({ statement }) => isNamedBy(named, statement));
    if (meant === undefined) return;
    meant.isGone = true;
    if (isNew) this.retracted.push({ text: meant.statement });
  }

  /** Whether the rest of a retraction states the replacement: `… drop the Tailwind decision, plain CSS modules are enough`. */
  #holdsInstead(text: string): boolean {
    const rest = text.split(CLAUSE_BORDER).filter((part) => !TAKES_BACK.test(part) && sizeOf(part) >= LEAST_INSTEAD);
    return rest.some((part) => corrects(part) || DETAIL.test(part) || namesNumber(part) || statementsIn(part).length > 0);
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
      this.retracted.push({ text: earlier.statement, by: statement });
      // Two short facts may be one entry: keep the uncorrected one.
      const rest = sentencesOf(earlier.statement).filter(({ text }) => compare(text)?.differs === undefined);
      for (const { kind, text } of statementsIn(rest.map(({ text }) => text).join(' '))) this.statements.push({ kind, text, isRest: true });
    }
  }
}

/** Words of retraction that name no subject. */
const TAKING =
  /(?<![\p{L}])(?:scratch|strike|forget|about|what i said|never ?mind|second thoughts?|take|back|changed|change|minds?|idea|plan|decision|rule|off|drop|hm+|actually|sorry|okay|wait|leave|doch nicht|vergiss|nehme|zurück|das|mit|den|die|der|dem|was|ich|le|la|les|ça|el|los|lo|de|oublie[zr]?|finalement|olvid\p{L}+|mejor)(?![\p{L}])/giu;

/** Another value for the current subject: `Make that 400 days for good`. */
function changeIn([first = '']: readonly string[]): Statement[] {
  const isChange = STANDS_FOR.test(bareOf(first)) && LASTS.test(first) && /\d|`/.test(first) && !ASKS.test(first);
  return isChange ? [{ kind: 'decision', text: first, paragraph: 0 }] : [];
}

/** `minus fourteen it is`. */
const namesNumber = (text: string): boolean =>
  [...numberSynonyms(tokenize(text)).values()].some((forms) => forms.some(({ tokens }) => tokens.some((token) => /^\d+$/.test(token))));

const tellingWords = (text: string): string[] => tokenize(text).filter((token) => !isStopWord(token) && token.length > 1);

/** Whether the statement contains at least half of the naming words. */
function isNamedBy(named: readonly string[], statement: string): boolean {
  const words = new Set(tellingWords(statement));
  return named.filter((word) => words.has(word)).length >= named.length / 2;
}

function sharesWord(one: string, other: string): boolean {
  const known = new Set(tellingWords(one));
  return tellingWords(other).some((token) => known.has(token));
}

const bareOf = (text: string): string => cuesOf(text).lead.removedFrom(text.replaceAll('’', "'")).trim();

/** The last proposal in a text with the rest of its paragraph, without questions. */
function proposalIn(text: string): string | undefined {
  const sentences = sentencesOf(text);
  const proposes = ({ text: said }: { readonly text: string }): boolean => {
    const spoken = said.replaceAll('’', "'");
    return PROPOSES.test(spoken) && !CHORE.test(spoken) && said.length <= LONGEST_PROPOSAL;
  };
  const at = sentences.findLastIndex(proposes);
  const found = sentences[at];
  if (found === undefined || sizeOf(found.text) < 4) return undefined;
  const following = sentences
    .slice(at + 1, at + MOST_PROPOSED)
    .filter((each) => each.paragraph === found.paragraph && !ASKS.test(each.text));
  return [found, ...following].map((each) => each.text).join(' ');
}
