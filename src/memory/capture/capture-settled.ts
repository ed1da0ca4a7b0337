import { chosenText, type Options } from './capture-choices.ts';
import { confirmed } from './capture-confirmation.ts';
import { sentencesOf, sizeOf } from './capture-text.ts';
import { AGREEMENTS } from './language-cues/agreement.ts';
import { cuesOf } from './language-cues/languages.ts';
import { contentTokens } from '../relation-cues/relation-cues-evidence.ts';

const MOST_SENTENCES = 2;
const LONGEST = 200;
const LEAST_SIZE = 3;
const PART_BORDER = /;\s/;
/** A name or code in the middle of a sentence: the thing that was offered. */
const NAMED = /`[^`]+`|(?<=[\p{L},;] )\p{Lu}[\p{L}\d.+-]+|\b[\p{L}\d]+[-_./][\p{L}\d]+|\b\p{L}+\d+\b|\b\p{Lu}{2,}\b/gu;

/** A short reply of a person from which nothing was kept, with the answer that it replies to. */
export interface OpenReply {
  readonly words: string;
  readonly answer: string;
  readonly options: Options | undefined;
}

/**
 * The decision that a reply made, by what the assistant then did: the one option of the answer that the first sentences of the next answer
 * (or `changed`, the words of edits) have words of, or the one sentence whose name they repeat. Undefined if they name none or several.
 */
export function decisionBy({ words, answer, options }: OpenReply, next: string, changed: ReadonlySet<string>): string | undefined {
  const language = cuesOf(next);
  const parts = sentencesOf(next)
    .slice(0, MOST_SENTENCES)
    .map(({ text }) => text.split(PART_BORDER)[0] ?? '')
    .filter((part) => part.length <= LONGEST && sizeOf(part) >= LEAST_SIZE && !language.plan.test(part.replaceAll('’', "'")));
  const done = new Set([...parts.flatMap((part) => [...contentTokens(part)]), ...changed]);
  const chosen = options === undefined ? namedIn(answer, done) : oneOf(options, done);
  if (chosen === undefined) return undefined;
  const { text, own } = chosen;
  const telling = parts.find((part) => contentTokens(part).some((token) => own.has(token)));
  const said = `${text} ${words.replaceAll(/\s+/g, ' ').trim()}`;
  return telling === undefined ? said : confirmed(said, telling);
}

interface Chosen {
  readonly text: string;
  /** The words that only this one has. */
  readonly own: ReadonlySet<string>;
}

function oneOf(options: Options, done: ReadonlySet<string>): Chosen | undefined {
  const all = options.options.map(({ text }) => new Set(contentTokens(text)));
  const scores = all.map((tokens, at) => {
    const own = new Set([...tokens].filter((token) => all.every((other, nth) => nth === at || !other.has(token))));
    return { at, own, shared: [...own].filter((token) => done.has(token)).length };
  });
  const [best, next] = scores.toSorted((one, other) => other.shared - one.shared);
  if (best === undefined || best.shared === 0 || best.shared === next?.shared) return undefined;
  return { text: chosenText(options, best.at), own: best.own };
}

/** The sentence of an answer that names what was done. */
function namedIn(answer: string, done: ReadonlySet<string>): Chosen | undefined {
  const sentences = sentencesOf(answer).map(({ text }) => {
    const names = text.match(NAMED) ?? [];
    return { text, own: new Set(names.flatMap((name) => contentTokens(name))) };
  });
  const meant = sentences.filter(({ own }) => [...own].some((token) => done.has(token)));
  const [first] = meant;
  return meant.length !== 1 || first === undefined || first.text.length > LONGEST
    ? undefined
    : { text: `${AGREEMENTS[0]?.agreed ?? ''} ${first.text}`.trim(), own: first.own };
}
