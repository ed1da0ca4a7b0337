/**
 * Words that the stemmer reduces to the stem of another word (`settings` to `set`, `production` to `product`): the name of each sense, then
 * its other words.
 */
const SENSES = `
accessibility
apartment: apartments
authorization: authorisation authorize authorise authorized authorised
authority: authorities
business: businesses
commitment: commitments
conversion: conversions
customer: customers
department: departments
evening: evenings
fitness
general: generally
generic: generics
important: importance importantly
international: internationally
news
organization: organizations organize organized organizer organizers organizing
organ: organs
paste: pasted pastes pasting
personality: personalities
production
responsible: responsibility responsibilities
setting: settings
terminal: terminals
universal: universally
universe
university: universities
`;

/** Prefix of a sense in a search text. No token of the tokenizer begins with it. */
const MARK = ':';
const MARK_CODE = MARK.charCodeAt(0);
/** Words, also inside camelCase. */
const WORD = /\p{Lu}?[a-z]{3,}|[A-Z]{4,}/gu;

const senses: ReadonlyMap<string, string> = new Map(
  SENSES.trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', words = ''] = line.split(': ');
      return [name, ...words.split(' ')].map((word): [string, string] => [word, `${MARK}${name}`]);
    }),
);

/** The sense of a word whose stem is ambiguous, as a token; undefined for most words. */
export function senseOf(word: string): string | undefined {
  return senses.get(word);
}

/** The senses of all such words in a text, one per occurrence. Linear. */
export function sensesIn(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const mark = senses.get(word.toLowerCase());
    if (mark !== undefined) found.push(mark);
  }
  return found;
}

/** Whether a token of a search text is a sense and not a word. */
export const isSense = (token: string): boolean => token.charCodeAt(0) === MARK_CODE;

/** A token for display. */
export const withoutMark = (token: string): string => (isSense(token) ? token.slice(MARK.length) : token);
