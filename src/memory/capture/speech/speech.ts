import type { CaptureKind } from '../capture-reasons.ts';

/**
 * The words of one language by which it is heard what a sentence is. Every language fills the same table; the rules that read it know no language.
 * Texts are read with plain apostrophes.
 */
export interface Speech {
  /** What stands before a sentence and says nothing: greetings, `ok`, `please`. */
  readonly lead: Pattern;
  /** Asks. */
  readonly question: Pattern;
  /** Not settled, or only supposed. */
  readonly unsettled: Pattern;
  /** True for an hour: how things stand, and what is said of it. */
  readonly passing: Pattern;
  /** Says that it is for good: even what begins as a request is a rule then. */
  readonly lasting: Pattern;
  /** One thing and not the other; no longer. */
  readonly contrast: Pattern;
  /** Asks for work that is done when it is done. */
  readonly task: Pattern;
  /** Tells how to do things: `use`, `avoid`, `stop`. A rule where it points at nothing that is before the eyes. */
  readonly order: Pattern;
  /** Points at something that is before the eyes, in an order. */
  readonly near: Pattern;
  /** An order about one thing: a task, unless it says what it is to be instead of. */
  readonly definite: Pattern;
  /** Speaks of many things: what is said of them holds. */
  readonly generic: Pattern;
  /** What a person says that holds, the most telling first. */
  readonly cues: readonly (readonly [CaptureKind, Pattern])[];
  /** Begins with somebody who does something now, or points at what is on the screen. */
  readonly pointing: Pattern;
  /** A plain sentence has one. */
  readonly verb: Pattern;
  /** Says what goes wrong. */
  readonly symptom: Pattern;
  /** Begins so that it only makes sense behind the sentence before. */
  readonly leaning: Pattern;
  /** Points back, anywhere in it. */
  readonly anaphor: Pattern;
  /** Gives the reason for the sentence before. */
  readonly reason: Pattern;
  /** Says that it is to be remembered. */
  readonly notice: Pattern;
  /** A question that gives a choice, or asks what is wanted. */
  readonly choice: Pattern;
  /** How a correction begins. */
  readonly correction: string;
  /** An assistant that announces, asks, supposes or is only polite. */
  readonly plan: Pattern;
  /** What an assistant found out, decided or did, the most telling first. */
  readonly findings: readonly (readonly [CaptureKind, Pattern])[];
}

const BEFORE = '(?<![\\p{L}\\p{N}_])';
const BEHIND = '(?![\\p{L}\\p{N}_])';

/** Words and phrases to look for. Compiled at first use: a command that captures nothing does not wait for six languages. */
export class Pattern {
  readonly #source: string;
  #compiled: RegExp | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  test(text: string): boolean {
    return this.#pattern().test(text);
  }

  /** The text without its first match. */
  removedFrom(text: string): string {
    return text.replace(this.#pattern(), '');
  }

  #pattern(): RegExp {
    this.#compiled ??= new RegExp(this.#source, 'iu');
    return this.#compiled;
  }
}

/** Any of these as whole words. */
export const said = (...parts: readonly string[]): Pattern => new Pattern(`${BEFORE}(?:${parts.join('|')})${BEHIND}`);
/** The text begins with one of these, as whole words. */
export const begins = (...parts: readonly string[]): Pattern => new Pattern(`^(?:${parts.join('|')})${BEHIND}`);
/** Any of these, wherever they stand: for scripts without blanks, and for patterns that mind their own borders. */
export const anywhere = (...parts: readonly string[]): Pattern => new Pattern(parts.join('|'));
/** The text begins with one of these, in a script without blanks. */
export const starts = (...parts: readonly string[]): Pattern => new Pattern(`^(?:${parts.join('|')})`);
/** Any of these before the sentence, with what parts them from it, also several. */
export const leads = (...parts: readonly string[]): Pattern => new Pattern(`^(?:(?:${parts.join('|')})${BEHIND}[\\s,.!:;—–-]*)+`);
