/** What English makes one word of another with, as far as the stemmer leaves it: `nightly`, `failure`, `printer`, `wireless`. Index form. */
const SUFFIXES = 'er or li al ment ag ur ness less abl ibl ful i ist ian eri anc enc iti ion iv ous ship hood'.split(' ');
const PREFIXES = ['re', 'un', 'pre'];
/** A shorter stem is part of too many words that have nothing to do with it (`man`, `manage`). */
const SHORTEST = 4;
const LETTERS = /^[a-z]+$/;
const MUTE_END = /[ei]$/;
/** `plan`, `planner`. */
const DOUBLED_END = /[bdgklmnprt]$/;

/**
 * Tokens that would be of the same family as this one, as the index writes them: `week` gives `weekli`, `printer` gives `print`. Most are
 * no words; those that entries hold are near in meaning, `un` apart, which denies. About a hundred for a word of letters, else none.
 */
export function derivationsOf(token: string): string[] {
  if (!LETTERS.test(token)) return [];
  const found = new Set([...derived(token), ...bases(token)]);
  for (const prefix of PREFIXES) {
    if (token.length >= SHORTEST) found.add(prefix + token);
    if (token.startsWith(prefix) && token.length - prefix.length >= SHORTEST) found.add(token.slice(prefix.length));
  }
  found.delete(token);
  return [...found];
}

function* derived(token: string): Iterable<string> {
  const stems = [token];
  if (MUTE_END.test(token)) stems.push(token.slice(0, -1));
  if (DOUBLED_END.test(token)) stems.push(token + token.at(-1)!);
  for (const stem of stems) if (stem.length >= SHORTEST) for (const suffix of SUFFIXES) yield stem + suffix;
}

function* bases(token: string): Iterable<string> {
  for (const suffix of SUFFIXES) {
    const base = token.slice(0, -suffix.length);
    if (!token.endsWith(suffix) || base.length < SHORTEST) continue;
    yield* [base, `${base}e`, `${base}i`];
    if (base.at(-1) === base.at(-2)) yield base.slice(0, -1);
  }
}
