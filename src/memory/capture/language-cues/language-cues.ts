import type { CaptureKind } from '../capture-reasons.ts';

/**
 * Cues of one language that classify sentences. Every language fills the same table; the rules are independent of the language. Texts use
 * plain apostrophes.
 */
export interface LanguageCues {
  /** Lead-in words without content: greetings, `ok`, `please`. */
  readonly lead: Pattern;
  /** A question. */
  readonly question: Pattern;
  /** Undecided or hypothetical. */
  readonly unsettled: Pattern;
  /** Temporary: a current state or remark. */
  readonly passing: Pattern;
  /** Permanent: turns even a request into a rule. */
  readonly lasting: Pattern;
  /** A contrast: this and not that; no longer. */
  readonly contrast: Pattern;
  /** A one-time task. */
  readonly task: Pattern;
  /** An instruction on how to work: `use`, `avoid`, `stop`. A rule if it refers to nothing specific. */
  readonly order: Pattern;
  /** An order that refers to something at hand. */
  readonly near: Pattern;
  /** An order about one thing: a task, unless it contains a contrast. */
  readonly definite: Pattern;
  /** About many things: a general fact. */
  readonly generic: Pattern;
  /** Cues of lasting statements, strongest first. */
  readonly cues: readonly (readonly [CaptureKind, Pattern])[];
  /** Begins with someone acting now, or refers to what is on the screen. */
  readonly pointing: Pattern;
  /** A verb of a plain sentence. */
  readonly verb: Pattern;
  /** A symptom or complaint. */
  readonly symptom: Pattern;
  /** Begins with a reference to the previous sentence. */
  readonly leaning: Pattern;
  /** A back reference anywhere. */
  readonly anaphor: Pattern;
  /** The reason for the previous sentence. */
  readonly reason: Pattern;
  /** An explicit request to remember. */
  readonly notice: Pattern;
  /** A question that offers a choice. */
  readonly choice: Pattern;
  /** Prefix of a completed correction. */
  readonly correction: string;
  /** An assistant's announcement, question, guess or courtesy. */
  readonly plan: Pattern;
  /** Cues of an assistant's findings, decisions and results, strongest first. */
  readonly findings: readonly (readonly [CaptureKind, Pattern])[];
}

const BEFORE = '(?<![\\p{L}\\p{N}_])';
const BEHIND = '(?![\\p{L}\\p{N}_])';

/** A regular expression compiled on first use, so that commands without capture do not compile those of six languages. */
export class Pattern {
  readonly #source: string;
  #compiled: RegExp | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  test(text: string): boolean {
    return this.#pattern().test(text);
  }

  /** Removes the first match. */
  removedFrom(text: string): string {
    return text.replace(this.#pattern(), '');
  }

  #pattern(): RegExp {
    this.#compiled ??= new RegExp(this.#source, 'iu');
    return this.#compiled;
  }
}

/** Matches any of these as whole words. */
export const containing = (...parts: readonly string[]): Pattern => new Pattern(`${BEFORE}(?:${parts.join('|')})${BEHIND}`);
/** Matches any of these as whole words at the start. */
export const begins = (...parts: readonly string[]): Pattern => new Pattern(`^(?:${parts.join('|')})${BEHIND}`);
/** Matches any of these anywhere: for scripts without blanks, and for patterns with their own borders. */
export const anywhere = (...parts: readonly string[]): Pattern => new Pattern(parts.join('|'));
/** Matches any of these at the start, in a script without blanks. */
export const starts = (...parts: readonly string[]): Pattern => new Pattern(`^(?:${parts.join('|')})`);
/** Matches one or more of these at the start, with the punctuation after them. */
export const leads = (...parts: readonly string[]): Pattern => new Pattern(`^(?:(?:${parts.join('|')})${BEHIND}[\\s,.!:;—–-]*)+`);
