/** English suffixes that derive words and that the stemmer keeps: `nightly`, `failure`, `printer`, `wireless`. In stemmed form. */
const SUFFIXES = 'er or li al ment ag ur ness less abl ibl ful i ist ian eri anc enc iti ion iv ous ship hood'.split(' ');
const PREFIXES = ['re', 'un', 'pre'];
/** Minimum stem length: shorter stems are part of unrelated words (`man`, `manage`). */
const SHORTEST = 4;
const LETTERS = /^[a-z]+$/;
const MUTE_END = /[ei]$/;
/** Endings that double: `plan`, `planner`. */
const DOUBLED_END = /[bdgklmnprt]$/;

/**
 * Possible tokens of the same word family: `week` gives `weekli`, `printer` gives `print`. Most are not words; those that entries contain
 * are related in meaning, except with `un`, which negates. About a hundred for a token of letters, else none.
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
  if (DOUBLED_END.test(token)) stems.push(token + token.slice(-1));
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
