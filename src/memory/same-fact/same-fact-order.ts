import type { Word } from './same-fact-words.ts';

type Same = (one: Word, other: Word) => boolean;

/** Words that begin an adverbial, which can be first or last in a sentence. */
const ADVERBIAL_STARTS: ReadonlySet<string> = new Set(
  'in on at for since after before during with without when if because until unless under by from to as'.split(' '),
);
/** Conjunctions: the adverbial may belong to only one part. */
const JOINING: ReadonlySet<string> = new Set('and or but while whereas then und oder aber et ou mais y o pero'.split(' '));
const IDENTITY: ReadonlySet<string> = new Set(['is', 'are']);

/**
 * Whether two texts differ only in an order without meaning, sentence by sentence: an adverbial first or last (`in staging we use A`), or
 * the sides of `the A is B`.
 */
export function isReordered(left: readonly Word[], right: readonly Word[], isSame: Same): boolean {
  const [ones, others] = [sentencesOf(left), sentencesOf(right)];
  return (
    ones.length === others.length &&
    ones.every((one, at) => {
      const other = others[at]!;
      return isEqual(one, other, isSame) || isMoved(one, other, isSame) || isMoved(other, one, isSame) || isTurned(one, other, isSame);
    })
  );
}

function sentencesOf(words: readonly Word[]): Word[][] {
  const sentences: Word[][] = [];
  for (const word of words) {
    if (word.starts || sentences.length === 0) sentences.push([]);
    sentences.at(-1)!.push(word);
  }
  return sentences;
}

function isEqual(one: readonly Word[], other: readonly Word[], isSame: Same): boolean {
  const [left, right] = [one.filter(({ empty }) => !empty), other.filter(({ empty }) => !empty)];
  return left.length === right.length && left.every((word, at) => isSame(word, right[at]!));
}

/** Whether `front` begins with the adverbial that `back` ends with. No other pause, conjunction or adverbial of the same kind may occur. */
function isMoved(front: readonly Word[], back: readonly Word[], isSame: Same): boolean {
  const begins = front[0]?.key ?? '';
  if (!ADVERBIAL_STARTS.has(begins) || [...front, ...back].some(({ key }) => JOINING.has(key))) return false;
  if (front.filter(({ key }) => key === begins).length > 1) return false;
  const at = back.findIndex(({ key }) => key === begins);
  if (at <= 0 || back.some(({ pause }, place) => pause && place > 0 && place !== at)) return false;
  const [adverbial, rest] = [back.slice(at), back.slice(0, at)];
  if (!isEqual(front, [...adverbial, ...rest], isSame)) return false;
  const length = adverbial.filter(({ empty }) => !empty).length;
  const pauses = front.filter(({ empty }) => !empty).flatMap(({ pause }, place) => (pause && place > 0 ? [place] : []));
  return pauses.length === 0 || (pauses.length === 1 && pauses[0] === length);
}

/** `The A is B` and `B is the A`: a definite description can be on either side. */
function isTurned(one: readonly Word[], other: readonly Word[], isSame: Same): boolean {
  const [left, right] = [sidesOf(one), sidesOf(other)];
  if (!left || !right) return false;
  const definite = [left, right].every((sides) => sides.some((side) => side[0]?.key === 'the'));
  return definite && isEqual(left[0], right[1], isSame) && isEqual(left[1], right[0], isSame);
}

function sidesOf(sentence: readonly Word[]): readonly [readonly Word[], readonly Word[]] | undefined {
  const at = sentence.findIndex(({ key }) => IDENTITY.has(key));
  const rest = sentence.slice(at + 1);
  const plain = at > 0 && rest.length > 0 && !rest.some(({ key }) => IDENTITY.has(key));
  const joined = sentence.some(({ key, negation, pause }, place) => negation || JOINING.has(key) || (pause && place > 0));
  return plain && !joined ? [sentence.slice(0, at), rest] : undefined;
}
