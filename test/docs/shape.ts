import { squeezed } from '../drills/transcript.ts';

const ID = String.raw`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`;
const TOKEN = String.raw`[0-9a-z]{8}\.[\w-]{43}`;
/** What differs each time, and what stands for it in a pattern; ids and tokens are remembered. */
const VARYING: readonly (readonly [there: string, here: string])[] = [
  [ID, `(${ID})`],
  [TOKEN, `(${TOKEN})`],
  [String.raw`(?<=[a-z]-)[0-9a-f]{8}\b`, '[0-9a-f]{8}'],
  ['…', '.*'],
  [String.raw`\d+(?:[.,]\d+)*`, String.raw`\d+(?:[.,]\d+)*`],
];
const ANY = new RegExp(VARYING.map(([there]) => `(?:${there})`).join('|'), 'g');

/** The ids of a page, with those that stand for them here. */
export type Known = Map<string, string>;

/** The text of a page with the ids that are known here. */
export const withKnown = (text: string, known: Known): string => {
  let done = text;
  for (const [there, here] of known) done = done.replaceAll(there, here);
  return done;
};

/**
 * Whether an output has the shape that the page says: the same words, other numbers, times and ids. `…` stands for anything in a line, and for any
 * lines where it stands alone. An id that the page shows for the first time is remembered.
 */
export function hasShape(output: string, said: string, known: Known): boolean {
  const found: string[] = [];
  const lines = squeezed(withKnown(said, known))
    .split('\n')
    .map((line) => (/^(?:…|\.\.\.)$/.test(line.trim()) ? String.raw`(?:.*\n)*?` : `${patternOf(line, known, found)}\n`));
  const match = new RegExp(`^${lines.join('')}$`).exec(`${squeezed(output).trimEnd()}\n`);
  if (match === null) return false;
  for (const [nth, there] of found.entries()) known.set(there, match[nth + 1] ?? there);
  return true;
}

function patternOf(line: string, known: Known, found: string[]): string {
  const here = new Set(known.values());
  let [pattern, end] = ['', 0];
  for (const { 0: word, index } of line.matchAll(ANY)) {
    pattern += escaped(line.slice(end, index)) + patternOfWord(word, here, found);
    end = index + word.length;
  }
  return pattern + escaped(line.slice(end));
}

function patternOfWord(word: string, here: ReadonlySet<string>, found: string[]): string {
  if (word !== '…' && here.has(word)) return escaped(word);
  if (found.includes(word)) return `\\${found.indexOf(word) + 1}(?!\\d)`;
  const [there, pattern] = VARYING.find(([candidate]) => new RegExp(`^(?:${candidate.replace('(?<=[a-z]-)', '')})$`).test(word))!;
  if (there === ID || there === TOKEN) found.push(word);
  return pattern;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Whether some object of the answer has every field of the one that the page shows, with values of the same kinds. */
export function holds(answer: unknown, said: unknown): boolean {
  if (matches(answer, said)) return true;
  return typeof answer === 'object' && answer !== null && Object.values(answer).some((part) => holds(part, said));
}

function matches(answer: unknown, said: unknown): boolean {
  if (Array.isArray(said)) return Array.isArray(answer) && said.every((one, nth) => matches(answer[nth], one));
  if (typeof said !== 'object' || said === null) return typeof answer === typeof said;
  if (typeof answer !== 'object' || answer === null) return false;
  return Object.entries(said).every(([name, value]) => matches((answer as Record<string, unknown>)[name], value));
}
