import { chosenBy, optionsIn, type Options } from './capture-choices.ts';
import { agreedDecision, proposalIn, type Proposal } from './capture-agreement.ts';
import { decisionBy, type OpenReply } from './capture-settled.ts';
import { sentencesOf, sizeOf } from './capture-text.ts';
import { cuesOf } from './language-cues/languages.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** Number of recent sentences kept for reference. */
const MOST_SENTENCES = 40;
/** In words. */
const MOST_REPLY_SIZE = 16;
const QUESTION = /[?？]["'”’)]*$/;
const LONGEST_SENTENCE = 300;
const LONGEST_ANSWER = 1000;
/** `X, not Y`: the valid value, then the wrong one. */
const SWAP = /(?<now>[^\s,;:]+),?\s+(?:(?:and|und|et|y)\s+)?(?<denial>not|nicht|pas|non|no)\s+(?<old>[^\s,;:]+?)[.!]?$/iu;

/** Recent context of a session, to resolve references in the next turn. */
export class Dialog {
  #asked: string | undefined;
  #proposed: Proposal | undefined;
  #options: Options | undefined;
  #answer: string | undefined;
  /** Whether the last prompt was a question. */
  #isAsked = false;
  #said: string[] = [];
  #open: OpenReply | undefined;

  /** Adds a turn of the assistant. */
  noteAnswer(text: string): void {
    const language = cuesOf(text);
    this.#answer = text.slice(-LONGEST_ANSWER);
    const last = sentencesOf(text).at(-1)?.text;
    this.#asked =
      last !== undefined && last.length <= LONGEST_SENTENCE && /[?？]$/.test(last) && language.choice.test(last) ? last : undefined;
    this.#proposed = proposalIn(text, { isReply: this.#isAsked });
    this.#options = optionsIn(text);
    this.#note(text);
  }

  /** Adds a turn of the person and closes any open question. `isKept`: whether any of it was captured; a later turn may change that. */
  notePrompt(text: string, { isKept = true } = {}): void {
    this.#open = isKept || !this.#isOpen(text) ? undefined : { words: text, answer: this.#answer ?? '', options: this.#options };
    this.#asked = undefined;
    this.#proposed = undefined;
    this.#options = undefined;
    this.#answer = undefined;
    const language = cuesOf(text);
    this.#isAsked = sentencesOf(text).some((sentence) => language.question.test(language.lead.removedFrom(sentence.text).trim()));
    this.#note(text);
  }

  /** The last prompt was captured: no later answer completes it. */
  close(): void {
    this.#open = undefined;
  }

  /** The decision in an uncaptured reply, found by the following actions (`changed`: words of edits). Returned once. */
  settledBy(answer: string, changed: ReadonlySet<string>): string | undefined {
    const open = this.#open;
    const found = open === undefined ? undefined : decisionBy(open, answer, changed);
    if (found !== undefined) this.#open = undefined;
    return found;
  }

  /** Whether a text is a short reply without a question or a task. */
  #isOpen(text: string): boolean {
    if (!this.isReply(text)) return false;
    const language = cuesOf(text);
    return !sentencesOf(text).some(({ text: sentence }) => {
      const bare = language.lead.removedFrom(sentence).trim();
      return QUESTION.test(sentence) || language.question.test(bare) || language.task.test(bare);
    });
  }

  /** End of the assistant's last answer. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** Whether a text is a short reply to an answer that asks, proposes or offers options. */
  isReply(text: string): boolean {
    const asks = this.#answer !== undefined && QUESTION.test(this.#answer.trim());
    return (asks || this.#options !== undefined || this.#proposed !== undefined) && sizeOf(text) <= MOST_REPLY_SIZE;
  }

  /** The choice the assistant offered in one question, if the text shares a word with it. */
  choiceFor(text: string): string | undefined {
    const asked = this.#options === undefined || this.#options.lead === this.#asked ? this.#asked : undefined;
    const first = sentencesOf(text)[0]?.text;
    return asked !== undefined && first !== undefined && sharesWord(asked, first) ? asked : undefined;
  }

  /** The assistant's proposal, if the text agrees to it. */
  agreedBy(text: string): string | undefined {
    const chosen = this.#options === undefined ? undefined : chosenBy(this.#options, text);
    if (chosen !== undefined || this.#proposed === undefined) return chosen;
    const agreed = agreedDecision(this.#proposed, text);
    // `I'd choose the first.` `Yes, your way.`
    const meant = agreed === undefined || this.#options === undefined ? undefined : chosenBy(this.#options, this.#proposed.text);
    return meant === undefined ? agreed : `${meant} ${text}`;
  }

  /**
   * Completes a correction such as `X, not Y` with the earlier sentence that contains Y, in which X replaces Y. Returns the statement
   * unchanged if there is no such sentence.
   */
  completed(statement: string): string {
    const language = cuesOf(statement);
    const bare = language.lead.removedFrom(statement.replaceAll('’', "'")).trim();
    if (!language.leaning.test(bare) && language.verb.test(bare)) return statement;
    const swap = SWAP.exec(bare)?.groups;
    const [now, denial, old] = [swap?.['now'], swap?.['denial'], swap?.['old']];
    if (now === undefined || denial === undefined || old === undefined) return statement;
    const meant = this.#said.findLast((sentence) => wordsOf(sentence).filter((word) => word === old).length === 1);
    if (meant === undefined || wordsOf(meant).includes(now)) return statement;
    const corrected = meant.split(/(\s+)/).map((word) => (trimmed(word) === old ? word.replace(old, () => now) : word));
    return `${language.correction} ${corrected.join('').replace(/[.!]$/, '')}, ${denial} ${old}.`;
  }

  #note(text: string): void {
    const said = sentencesOf(text).flatMap((sentence) =>
      sentence.text.length <= LONGEST_SENTENCE && !/[?？]$/.test(sentence.text) ? [sentence.text] : [],
    );
    this.#said = [...this.#said, ...said.slice(-MOST_SENTENCES)].slice(-MOST_SENTENCES);
  }
}

const trimmed = (word: string): string => word.replace(/^["'“„«(]+/, '').replace(/["'”“»).,;:!]+$/, '');
const wordsOf = (sentence: string): string[] => sentence.split(/\s+/).map(trimmed);

function sharesWord(one: string, other: string): boolean {
  const known = new Set(tokenize(one).filter((token) => !isStopWord(token)));
  return tokenize(other).some((token) => known.has(token));
}
