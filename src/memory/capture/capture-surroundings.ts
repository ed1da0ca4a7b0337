import { mayContainSecret } from '../secrets/possible-secrets.ts';
import { sentencesOf } from './capture-text.ts';

const MOST_ANSWER = 300;
const REDACTED = /\[redacted: [a-z-]+\]/;

/** The sentences of the assistant that a statement begins with, because it answers them. Empty if there are none. */
export function questionIn(statement: string, answer: string | undefined): string {
  if (answer === undefined) return '';
  const said = new Set(sentencesOf(answer).map(({ text }) => text));
  return sentencesOf(statement)
    .flatMap(({ text }) => (said.has(text) ? [text] : []))
    .join(' ');
}

/**
 * The beginning of an answer of the assistant: it names the subject that a short statement before it leaves out. Without sentences that may
 * hold a secret.
 */
export function beginningOf(answer: string): string {
  const [first = '', ...others] = sentencesOf(answer).flatMap(({ text }) =>
    REDACTED.test(text) || mayContainSecret(text, answer) ? [] : [text],
  );
  let text = first.slice(0, MOST_ANSWER).toWellFormed();
  for (const sentence of others) {
    if (text.length + sentence.length >= MOST_ANSWER) break;
    text += ` ${sentence}`;
  }
  return text;
}
