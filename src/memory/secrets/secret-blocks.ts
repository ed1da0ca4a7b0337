import type { Secret } from './secret-kinds.ts';

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
/** A key of 16,384 bits has about 13,000 characters. */
const LONGEST_KEY = 20_000;
/** Only a key has so many characters without a blank; text that mentions such blocks does not. */
const ENCODED = /[A-Za-z0-9+/]{24}/;
/** Lines of a key without its END line. */
const LINES = /(?:(?:\s|\\[nr])+[A-Za-z0-9+/]{24,}={0,2})+(?:(?:\s|\\[nr])+[A-Za-z0-9+/]{1,23}={0,2}$)?/y;

/** Private keys in PEM or OpenPGP armour, also without an END line. */
export function findPrivateKeys(text: string): Secret[] {
  const secrets: Secret[] = [];
  if (!text.includes('-----BEGIN ')) return secrets;
  const begins = [...text.matchAll(BEGIN)];
  const ends = [...text.matchAll(END)];
  let next = 0;
  for (const [nth, { 0: begin, index }] of begins.entries()) {
    const body = index + begin.length;
    const limit = Math.min(begins[nth + 1]?.index ?? text.length, body + LONGEST_KEY);
    while (next < ends.length && ends[next]!.index < body) next++;
    const end = ends[next];
    const stop = end !== undefined && end.index < limit ? end.index + end[0].length : undefined;
    if (stop === undefined) {
      LINES.lastIndex = body;
      const lines = LINES.exec(text);
      if (lines !== null) secrets.push({ kind: 'private-key', start: index, end: body + lines[0].length });
    } else if (ENCODED.test(text.slice(body, stop))) {
      secrets.push({ kind: 'private-key', start: index, end: stop });
    }
  }
  return secrets;
}

/** State between passages: a private key that began in an earlier passage and has not ended. */
export interface OpenKey {
  /** The BEGIN line to put before the passage, so that its key lines are recognized. */
  readonly before: string;
}

/** The private key that a passage ends in, if any; `open`: the one in which the previous passage ended. */
export function keyLeftOpen(text: string, open: OpenKey | undefined): OpenKey | undefined {
  const begin = [...text.matchAll(BEGIN)].at(-1);
  const end = [...text.matchAll(END)].at(-1);
  if (begin !== undefined && (end === undefined || end.index < begin.index)) return { before: `${begin[0]}\n` };
  return begin === undefined && end === undefined && open !== undefined && isEncoded(text) ? open : undefined;
}

/** Whether a text is only lines of a key. */
const isEncoded = (text: string): boolean => /^\s*(?:[A-Za-z0-9+/]{1,128}={0,2}\s*)+$/.test(text);
