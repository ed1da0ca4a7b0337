import type { CaptureKind } from '../capture-reasons.ts';

/**
 * The words of one language by which it is heard what a sentence is. Every language fills the same table; the rules that read it know no language.
 * Texts are read with plain apostrophes.
 */
export interface Speech {
  /** What stands before a sentence and says nothing: greetings, `ok`, `please`. */
  readonly lead: RegExp;
  /** Asks. */
  readonly question: RegExp;
  /** Not settled, or only supposed. */
  readonly unsettled: RegExp;
  /** True for an hour: how things stand, and what is said of it. */
  readonly passing: RegExp;
  /** Says that it is for good: even what begins as a request is a rule then. */
  readonly lasting: RegExp;
  /** One thing and not the other; no longer. */
  readonly contrast: RegExp;
  /** Asks for work that is done when it is done. */
  readonly task: RegExp;
  /** Tells how to do things: `use`, `avoid`, `stop`. A rule where it points at nothing that is before the eyes. */
  readonly order: RegExp;
  /** Points at something that is before the eyes, in an order. */
  readonly near: RegExp;
  /** An order about one thing: a task, unless it says what it is to be instead of. */
  readonly definite: RegExp;
  /** Speaks of many things: what is said of them holds. */
  readonly generic: RegExp;
  /** What a person says that holds, the most telling first. */
  readonly cues: readonly (readonly [CaptureKind, RegExp])[];
  /** Begins with somebody who does something now, or points at what is on the screen. */
  readonly pointing: RegExp;
  /** A plain sentence has one. */
  readonly verb: RegExp;
  /** Says what goes wrong. */
  readonly symptom: RegExp;
  /** Begins so that it only makes sense behind the sentence before. */
  readonly leaning: RegExp;
  /** Points back, anywhere in it. */
  readonly anaphor: RegExp;
  /** Gives the reason for the sentence before. */
  readonly reason: RegExp;
  /** Says that it is to be remembered. */
  readonly notice: RegExp;
  /** A question that gives a choice, or asks what is wanted. */
  readonly choice: RegExp;
  /** How a correction begins. */
  readonly correction: string;
  /** An assistant that announces, asks, supposes or is only polite. */
  readonly plan: RegExp;
  /** What an assistant found out, decided or did, the most telling first. */
  readonly findings: readonly (readonly [CaptureKind, RegExp])[];
}

const BEFORE = '(?<![\\p{L}\\p{N}_])';
const BEHIND = '(?![\\p{L}\\p{N}_])';

/** Any of these as whole words. */
export const said = (...parts: readonly string[]): RegExp => new RegExp(`${BEFORE}(?:${parts.join('|')})${BEHIND}`, 'iu');
/** The text begins with one of these, as whole words. */
export const begins = (...parts: readonly string[]): RegExp => new RegExp(`^(?:${parts.join('|')})${BEHIND}`, 'iu');
/** Any of these, wherever they stand: for scripts without blanks, and for patterns that mind their own borders. */
export const anywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'iu');
/** Any of these before the sentence, with what parts them from it, also several. */
export const leads = (...parts: readonly string[]): RegExp => new RegExp(`^(?:(?:${parts.join('|')})${BEHIND}[\\s,.!:;—–-]*)+`, 'iu');
