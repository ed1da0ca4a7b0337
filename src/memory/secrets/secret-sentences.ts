import type { Secret } from './secret-kinds.ts';
import { FORMS, type Evidence } from './password-forms.ts';
import { ABOUT_PASSWORD, NO_PASSWORD, SIGNS } from './secret-words.ts';
import { isStopWord } from '../words/tokens.ts';
import { withoutEnd } from './value-at.ts';
import { isPlaceholder, isTechnical, MEASURE, LOCATION } from './secret-values.ts';

let compiled: readonly (readonly [Evidence, RegExp, sign: RegExp])[] | undefined;
/** Compiled on first use: most hook processes need none. */
const forms = (): typeof compiled & object =>
  (compiled ??= FORMS.map(([evidence, form, sign = SIGNS]) => [evidence, new RegExp(form, 'giu'), sign] as const));

/** Passwords given in a sentence, in the supported languages. */
export function findPasswordsInSentences(text: string): Secret[] {
  const signs = new Map<RegExp, boolean>();
  for (const [, , sign] of forms()) if (!signs.has(sign)) signs.set(sign, sign.test(text));
  const found: Secret[] = [];
  for (const [evidence, form, sign] of forms()) {
    if (signs.get(sign) !== true) continue;
    for (const match of text.matchAll(form)) {
      const secret = saidAt(text, match, evidence);
      if (secret !== undefined) found.push(secret);
    }
  }
  return found;
}

const QUOTED =
  /["“„”]([^"“„”\n]{3,80})["”“]|'([^'\n]{3,80})'|[‘]([^’\n]{3,80})’|`([^`\n]{3,80})`|«\s?([^»\n]{3,80}?)\s?»|「([^」\n]{3,80})」|『([^』\n]{3,80})』/uy;
const PHRASE_WORDS = /\p{Ll}+(?: \p{Ll}+)+/uy;
/** `Otter Lake 221`. */
const CAPITAL_WORDS = /\p{Lu}\p{L}+(?: \p{L}+){0,4} \d{2,6}/uy;
/** An unquoted value; an ASCII value ends where another script begins. */
const BARE =
  /(?:(?!;[\w ]{1,32}=|&[\w.-]{1,64}=)[\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e]){1,128}|[^\s"'`“”„«»「」『』，。、；！？\\]{1,128}/uy;

function saidAt(text: string, match: RegExpExecArray, evidence: Evidence): Secret | undefined {
  const at = match.index + match[0].length;
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  const bare = evidence === 'phrase' || evidence === 'words' ? PHRASE_WORDS : evidence === 'capitals' ? CAPITAL_WORDS : BARE;
  bare.lastIndex = at;
  const inside = quoted?.slice(1).find((part) => part !== undefined);
  const value = inside ?? withoutClosing(bare.exec(text)?.[0] ?? '');
  if (value === '') return undefined;
  const start = inside === undefined ? at : at + text.slice(at).indexOf(inside);
  const end = start + value.length;
  const isLast = inside !== undefined || /^[.,;:!?)\]}*]*(?:\s*$|\s*\n|(?<=[.,;:!?)])\s)/.test(text.slice(end, end + 16));
  const wasNamed = match[1] === undefined || isName(match[1]);
  const endsClause = /^(?:[.,;!]|\s*$|\s*\n)/.test(text.slice(end, end + 16));
  const said = { evidence, isQuoted: inside !== undefined, isLast, endsClause };
  return wasNamed && opensSomething(value, { ...said, name: match[0] }) ? { kind: 'password', start, end } : undefined;
}

/** Strips closing punctuation; an exclamation mark may belong to the password. */
function withoutClosing(value: string): string {
  const bare = withoutEnd(value, '.,;:!?)]}>*/');
  return value.charAt(bare.length) === '!' ? `${bare}!` : bare;
}

/** Whether a value is a secret for this kind of evidence. A lower-case `pin` is a verb. */
function opensSomething(value: string, { name, ...said }: SecretSentence & { readonly name: string }): boolean {
  if (said.evidence === 'code') return !/^pin\b/.test(name);
  if (said.evidence === 'key') return isRandom(value);
  if (said.evidence === 'phrase') return said.isQuoted || !isSentence(value);
  if (said.evidence === 'words') return said.endsClause && !said.isQuoted && value.split(' ').every(isNoSentenceWord);
  if (said.evidence === 'capitals') return said.endsClause && value.split(' ').every((word) => isNoSentenceWord(word.toLowerCase()));
  return isSaid(value, said);
}

const LEAST_RANDOM = 16;
/** Long, without separators, and switching between letter case and digits more often than names do; or groups like those of a licence key. */
function isRandom(value: string): boolean {
  if (/^[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,7}$/.test(value) && /\d/.test(value) && /[A-Z]/.test(value)) return true;
  if (value.length < LEAST_RANDOM || !/^\w+$/.test(value) || !/\d/.test(value)) return false;
  const kinds = value
    .split('')
    .map((sign) => (/\d/.test(sign) ? 'digit' : /[A-Z]/.test(sign) ? 'capital' : /[a-z]/.test(sign) ? 'small' : 'sign'));
  return kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length >= value.length / 3;
}

interface SecretSentence {
  readonly evidence: Evidence;
  readonly isQuoted: boolean;
  readonly isLast: boolean;
  /** Whether a sign or the end of the line follows. */
  readonly endsClause: boolean;
}

/** Not a value: an e-mail address, an assignment, a member access, Markdown or code syntax. */
const NO_VALUE = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$|^[\w.-]{1,64}[=(<[]|^[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)+$|^[*|<>[{(#]|\]\(|\|/i;
const NAMES_SOMETHING = /^\d{1,6}[-–]?\p{L}+$|^[\p{L}_]+(?:[_-]\p{L}+)*[_-]?\d{0,1}$/u;
const SIGN = /[!@#$%^&*?~+]/;
/** Endings of words that describe a password. */
const DESCRIBES = /(?:ed|ing|able|ible|ous|ive|ful|less|ary|ory|ent|ant|ic|ly|al|id|ete)$/i;

function isSaid(value: string, { evidence, isQuoted, isLast }: SecretSentence): boolean {
  const plain = value.replace(/[!?]+$/, '');
  if (plain.length < 4 || isPlaceholder(plain) || isTechnical(plain) || LOCATION.test(value) || MEASURE.test(value)) return false;
  if (/\s/.test(value)) return isQuoted && evidence !== 'beside' && value.length > 7 && !isSentence(value);
  if (NO_VALUE.test(value)) return false;
  const hasLetter = /\p{L}/u.test(value);
  if (hasLetter && (/\p{N}/u.test(plain) || SIGN.test(plain)) && plain.length > 4) return !NAMES_SOMETHING.test(plain) || isWorded(plain);
  if (!hasLetter) return evidence !== 'beside' && isLast && /^\d{4,10}$/.test(plain);
  if (NO_PASSWORD.has(plain.toLowerCase())) return false;
  if (isQuoted) return evidence !== 'beside';
  if (plain.length < 5 || DESCRIBES.test(plain)) return false;
  return evidence === 'pair' || (evidence === 'word' && isLast && /^[a-z]{6,}$/.test(value));
}

/** A word and a number, such as `hunter2`. One digit is enough after six letters. */
const isWorded = (value: string): boolean => /^\p{L}{6,}\d$/u.test(value) || /^\p{L}{3,}\d{2,}$/u.test(value);

const SENTENCE = /\b(?:is|are|was|must|may|can|the|your|please|enter|for|from|to|of|and|or|at|by|in|inside|behind|under|on|with|not|no)\b/i;
/** Words of a passphrase are mostly nouns; a sentence about a password has other words too. */
const isNoSentenceWord = (word: string): boolean =>
  !isSentence(word) && !isStopWord(word) && !NO_PASSWORD.has(word) && !ABOUT_PASSWORD.has(word) && !DESCRIBES.test(word);
const isSentence = (value: string): boolean => SENTENCE.test(value);
/** Whether a word is a user name and not a generic word. */
const isName = (user: string): boolean => !NO_PASSWORD.has(user.toLowerCase()) && !isPlaceholder(user) && !isTechnical(user);
