import type { Secret } from './secret-kinds.ts';
import {
  ABOUT_PASSWORD,
  ASIDE,
  CODE_NAME,
  CONNECTIVE,
  COPULA,
  DESCRIPTION,
  EDGE,
  LOGIN,
  PASSWORD,
  SIGNS,
  NO_PASSWORD,
} from './secret-words.ts';
import { isStopWord } from '../words/tokens.ts';
import { withoutEnd } from './value-at.ts';
import { isPlaceholder, isTechnical, MEASURE, PLACE } from './secret-values.ts';

/** A sign or word for "is". Chinese, Japanese and Korean need no blanks around it. */
const SAYS = String.raw`(?:\s{0,2}(?:[:：=]|[—–-](?=\s))\s{0,2}|\s{0,2}[是为為は는은]\s{0,2}|\s{1,2}(?:${COPULA})${ASIDE}\s{1,2})`;
const BESIDE = String.raw`(?:${SAYS}|\s{1,2})`;
const ARTICLE = String.raw`(?:(?:the|a|my|our|das|dem|der|ein|mein|le|la|el|il|o|a|het|свой)\s|l['’])?`;
/** A user name or address. */
const USER = String.raw`["'“‘„«]?([\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63})["'”’“»]?`;

/** `The password for the wiki is …`, `das Passwort lautet …`, `密码是…`. */
const TOLD = `(?:${PASSWORD})${DESCRIPTION}${SAYS}`;
/** `the password is swordfish`: in English, where a plain word can be the password. */
const WORD = `${EDGE}(?:password|passcode|pwd|pw)${DESCRIPTION}\\s(?:is|was)\\s`;
/** `use the password …`, `пароль …`: the value follows directly. */
const NEXT = `(?:${PASSWORD})\\s{1,2}`;
/** `log in as admin, pass …`, `user: bob / pw …`, `el usuario es x y la contraseña …`. */
const PAIR =
  `${EDGE}(?:${LOGIN})\\s{0,2}(?:[:：=是は]|${CONNECTIVE})\\s{0,2}${ARTICLE}(?:user(?:name)?\\s|benutzer\\s|usuario\\s)?${USER}` +
  `\\s{0,2}(?:[^\\p{L}\\p{N}\\s]?\\s{0,2})(?:(?:and|und|et|y|e|и|en|i|och)\\s)?(?:${CONNECTIVE})?${ARTICLE}(?:${PASSWORD}|${EDGE}pass)${BESIDE}`;
/** A login with other words between user and password, in any order. */
const LOGIN_LINE = `${EDGE}(?:${LOGIN})(?![\\p{L}\\p{N}_])(?:[^\\n.!?]|[.!?](?=\\S)){1,80}?(?:${PASSWORD}|${EDGE}pass)${BESIDE}`;
/**
 * User and password with a slash, or the user before the login word: `admin でログイン、パスワードは…`, `credentials: admin / …`, `use admin/… to log
 * in`.
 */
const SLASHED = `(?:${EDGE}(?<!/)(?:${LOGIN}|credentials?|creds|zugangsdaten|anmeldedaten|identifiants|credenciales|credenciais|credenziali|доступ|账号|帳號)(?:\\s{0,2}[:：=]\\s{0,2}|${DESCRIPTION}\\s(?:${COPULA})\\s)|${EDGE}(?:use|with|mit|avec|con|com)\\s(?=(?:admin|root|user|test|demo|guest|\\S{1,64}@)\\S{0,64}/\\S{4,64}\\s(?:to|for|um|pour|para|per)\\s))${USER}\\s{0,2}[/|:]\\s{0,2}`;
/** `wifi is quarry / pass: …`. */
const NETWORK = `${EDGE}(?:wi-?fi|wlan|ssid)(?![\\p{L}\\p{N}])[^\\n]{1,60}?[\\s/,;](?:${PASSWORD}|pass)\\s{0,2}[:=]\\s{0,2}`;
/** `the itch key for uploads is …`: a key without a known format. */
const KEY = `${EDGE}(?:keys?|tokens?|secrets?|schlüssel|clés?|jetons?|claves?)${DESCRIPTION}\\s{1,2}(?:${COPULA})${ASIDE}\\s{1,2}`;
/** `the PIN is 4711`, `unlock code: 845120`. */
const CODE = `${EDGE}(?:${CODE_NAME})${DESCRIPTION}${SAYS}(?=["'“]?\\d{4,10}(?!\\p{N}|[\\p{L}_]|[.,:/-]\\p{N}| \\p{L}))`;
/** A passphrase of words, to the end of the line or sentence. */
const PHRASE = `${EDGE}pass ?phrase${DESCRIPTION}${SAYS}(?=\\p{Ll}{3,}(?: \\p{Ll}{3,}){2,8}(?:[.,;!]|\\s*$|\\s*\\n))`;

/** The same after a word for a password: a plain sentence may follow it too, so only words that begin none. */
const WORDS = `${EDGE}(?:password|passcode|pwd|pw|passwort|kennwort)${DESCRIPTION}\\s(?:is|was|ist|war|lautet)${ASIDE}\\s(?=\\p{Ll}{3,}(?: \\p{Ll}{3,}){2,8}(?:[.,;!]|\\s*$|\\s*\\n))`;
/** `wifi upstairs is guest / …`: a network and its password. */
const SLASHED_NETWORK = `${EDGE}(?:wi-?fi|wlan|ssid)(?: (?:name|network|login|upstairs|downstairs|here))?${DESCRIPTION}${SAYS}${USER}\\s{1,2}/\\s{1,2}(?=\\p{L})`;

type Evidence = 'key' | 'told' | 'word' | 'beside' | 'pair' | 'code' | 'phrase' | 'words';
const FORMS: readonly (readonly [Evidence, string])[] = [
  ['told', TOLD],
  ['word', WORD],
  ['beside', NEXT],
  ['pair', PAIR],
  ['beside', LOGIN_LINE],
  ['beside', NETWORK],
  ['beside', SLASHED],
  ['code', CODE],
  ['key', KEY],
  ['phrase', PHRASE],
  ['words', WORDS],
  ['beside', SLASHED_NETWORK],
];

let compiled: readonly (readonly [Evidence, RegExp])[] | undefined;
/** Compiled on first use: most hook processes need none. */
const forms = (): typeof compiled & object =>
  (compiled ??= FORMS.map(([evidence, source]) => [evidence, new RegExp(source, 'giu')] as const));

/** Passwords given in a sentence, in the supported languages. */
export function findPasswordsInSentences(text: string): Secret[] {
  if (!SIGNS.test(text)) return [];
  return forms().flatMap(([evidence, form]) => [...text.matchAll(form)].flatMap((match) => saidAt(text, match, evidence) ?? []));
}

const QUOTED =
  /["“„”]([^"“„”\n]{3,80})["”“]|'([^'\n]{3,80})'|[‘]([^’\n]{3,80})’|`([^`\n]{3,80})`|«\s?([^»\n]{3,80}?)\s?»|「([^」\n]{3,80})」|『([^』\n]{3,80})』/uy;
const PHRASE_WORDS = /\p{Ll}+(?: \p{Ll}+)+/uy;
/** An unquoted value; an ASCII value ends where another script begins. */
const BARE =
  /(?:(?!;[\w ]{1,32}=|&[\w.-]{1,64}=)[\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e]){1,128}|[^\s"'`“”„«»「」『』，。、；！？\\]{1,128}/uy;

function saidAt(text: string, match: RegExpExecArray, evidence: Evidence): Secret | undefined {
  const at = match.index + match[0].length;
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  const bare = evidence === 'phrase' || evidence === 'words' ? PHRASE_WORDS : BARE;
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
function opensSomething(value: string, { name, ...said }: Said & { readonly name: string }): boolean {
  if (said.evidence === 'code') return !/^pin\b/.test(name);
  if (said.evidence === 'key') return isRandom(value);
  if (said.evidence === 'phrase') return said.isQuoted || !isSentence(value);
  if (said.evidence === 'words') return said.endsClause && !said.isQuoted && value.split(' ').every(isNoSentenceWord);
  return isSaid(value, said);
}

const LEAST_RANDOM = 16;
/** Long, without separators, and switching between letter case and digits more often than names do. */
function isRandom(value: string): boolean {
  if (value.length < LEAST_RANDOM || !/^\w+$/.test(value) || !/\d/.test(value)) return false;
  const kinds = value
    .split('')
    .map((sign) => (/\d/.test(sign) ? 'digit' : /[A-Z]/.test(sign) ? 'capital' : /[a-z]/.test(sign) ? 'small' : 'sign'));
  return kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length >= value.length / 3;
}

interface Said {
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

function isSaid(value: string, { evidence, isQuoted, isLast }: Said): boolean {
  const plain = value.replace(/[!?]+$/, '');
  if (plain.length < 4 || isPlaceholder(plain) || isTechnical(plain) || PLACE.test(value) || MEASURE.test(value)) return false;
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
