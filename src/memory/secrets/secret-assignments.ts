import type { Secret, SecretKind } from './secret-kinds.ts';
import { LONG_VALUE, valueAt, withoutEnd } from './value-at.ts';
import { isPlaceholder, isRandom, isScrambled, isTechnical, isWording, MEASURE, LOCATION } from './secret-values.ts';

const PASSWORD_WORD = String.raw`pass(?:word|wd|phrase|code|(?==))|pwd|\bpw\b|passwort|kennwort|mot de passe|mdp|contraseña|senha|пароль|wachtwoord|hasło|[şs]ifre|lösenord|heslo|密[码碼]|パスワード|비밀번호`;
const TOKEN_WORD = String.raw`token|secret|credentials?|(?:api|access|secret|private|signing|signature|encryption|master|account|storage|shared|license|licence|deploy|service|webhook)[ _-]?key|(?<![A-Za-z])auth`;
/** A password or token word, not within an earlier `[redacted: …]`. */
const NAME = String.raw`(?:(${PASSWORD_WORD})|(${TOKEN_WORD}))(?<!\[redacted: [a-z-]{0,20})`;
/** What may follow the name: `DB_PASSWORD_PROD`, `password (staging)`, `password for the wiki`, `**password**`. */
const AFTER_NAME = String.raw`(?:[_-]?(?:prod|production|dev|development|staging|test|local|live|base|value|\d{1,2}))?(?: {1,2}\([^()\n]{1,40}\)| (?:for|of|on|für|von)(?: [\w@./'-]{1,32}){1,4}?)?(?:\\?["'${'`'}]\]?)?\*{0,3}`;
/** No line breaks: the next line belongs to another name. */
const BLANKS = String.raw`[^\S\r\n]{0,3}`;
const ASSIGNED = new RegExp(
  String.raw`${NAME}${AFTER_NAME}(?: (?:is|ist|lautet|est|es))?(${BLANKS})(?:(=>|:=|={1,3}|[:：]\*{0,3})|(?<=\s)(?:is|ist|lautet|est|es)(?=\s))(${BLANKS})`,
  'gi',
);
interface Option {
  /** Prefilter: a text without it is not searched. */
  readonly sign: string;
  readonly pattern: RegExp;
  readonly isPassword: (option: string) => boolean;
}
const always = (): boolean => true;
const OPTIONS: readonly Option[] = [
  {
    sign: '--',
    pattern: /(?<!\S)--[\w-]{0,40}(?:password|passwd|passphrase|token|secret|api-?key|access-?key|secret-?key)[ \t]{1,3}(?![-\s])/gi,
    isPassword: (option) => /pass/i.test(option),
  },
  /** The format of `.netrc`. */
  { sign: 'login', pattern: /\blogin\s{1,3}\S{1,64}\s{1,3}password\s{1,3}/gi, isPassword: always },
  ...['curl', 'wget'].map((sign) => ({ sign, pattern: /(?<!\S)(?:-u|--user)[ =]{1,2}["']?[^\s:"'$]{1,64}:/g, isPassword: always })),
  { sign: 'docker', pattern: /\bdocker login\b[^\n]{0,120}?\s-p[ =]?/g, isPassword: always },
  { sign: 'sshpass', pattern: /\bsshpass\s{1,3}-p ?/g, isPassword: always },
  { sign: 'redis-cli', pattern: /\bredis-cli\b[^\n]{0,80}?\s-a /g, isPassword: always },
  { sign: 'mysql', pattern: /\bmysql(?:dump|admin)?\b[^\n]{0,80}?\s-p(?=\S)/g, isPassword: always },
];
/** A password or token word, other words of the same line, then a random value. */
const NEAR = new RegExp(String.raw`${NAME}\b([^\n]{1,48}?)(?<![\w+/=.-])([\w+/-]{20,512}={0,2})(?![\w+/=.])`, 'gi');
/** Names of other random-looking values. */
const OTHER_ID = /commit|\bsha\b|hash|digest|checksum|md5|revision|uuid|trace|build|image|branch|\bids?\b|\bfile|\bpath|:\/\/|[{(<]$/i;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const SIGNS = [
  'pass',
  'pw',
  'kennwort',
  'mdp',
  'contrase',
  'senha',
  'парол',
  'wachtw',
  'has',
  'ifre',
  'lösen',
  'heslo',
  '密',
  'パス',
  '비밀',
  'token',
  'secret',
  'credential',
  'key',
  'auth',
  '-u',
  'redis-cli',
  'docker login',
  'mysql',
];

/** The context of a value and its name. */
interface Setting {
  readonly isPassword: boolean;
  /** Joined by a word such as `is`, not by a sign. */
  readonly isTold: boolean;
  /** Joined by `=`, or by a colon without blanks or after a quoted name. */
  readonly isBound: boolean;
  readonly isQuoted: boolean;
  /** The name is in capitals and directly followed by the value. */
  readonly isVariable: boolean;
  /** Followed only by the end of a line or clause. */
  readonly isLast: boolean;
  /** Followed by a comma, a semicolon or a bracket, as in code. */
  readonly isInCode: boolean;
}

/** Secret-like values next to a word such as `password`, `token` or `api key`. */
export function findNamedSecrets(text: string): Secret[] {
  const lower = text.toLowerCase();
  if (!SIGNS.some((sign) => lower.includes(sign))) return [];
  return [...assigned(text), ...options(text), ...near(text)];
}

function assigned(text: string): Secret[] {
  const secrets: Secret[] = [];
  ASSIGNED.lastIndex = 0;
  for (let match = ASSIGNED.exec(text); match !== null; match = ASSIGNED.exec(text)) {
    const { 0: whole, 1: password, 3: before = '', 4: sign, 5: after = '' } = match;
    const value = valueAt(text, ASSIGNED.lastIndex);
    if (value === undefined) continue;
    // Skip the whole value: names inside it are part of it.
    if (value.text.length > LONG_VALUE) ASSIGNED.lastIndex = value.start + value.text.length;
    const isPassword = password !== undefined;
    const isBound = sign !== undefined && (!/[:：]/.test(sign) || `${before}${after}` === '' || /["'`]/.test(whole));
    const isVariable = /^[A-Z_]{3,}=$/.test(whole);
    const { isQuoted, isLast, isInCode } = value;
    if (isSecret(value.text, { isPassword, isTold: sign === undefined, isBound, isVariable, isQuoted, isLast, isInCode })) {
      secrets.push({ kind: isPassword ? 'password' : 'token', start: value.start, end: value.start + value.text.length });
    }
  }
  return secrets;
}

function options(text: string): Secret[] {
  const secrets: Secret[] = [];
  for (const { sign, pattern, isPassword } of OPTIONS) {
    if (!text.includes(sign)) continue;
    for (const { 0: option, index } of text.matchAll(pattern)) {
      const value = valueAt(text, index + option.length);
      // Command arguments are never code expressions.
      const setting = { isPassword: isPassword(option), isTold: false, isBound: true, isVariable: false, isLast: true, isInCode: false };
      if (value === undefined || /^[$<{]/.test(value.text) || !isSecret(value.text, { ...setting, isQuoted: true })) continue;
      secrets.push({ kind: setting.isPassword ? 'password' : 'token', start: value.start, end: value.start + value.text.length });
    }
  }
  return secrets;
}

function near(text: string): Secret[] {
  const secrets: Secret[] = [];
  for (const { 0: whole, 1: password, 3: between = '', 4: value = '', index } of text.matchAll(NEAR)) {
    if (OTHER_ID.test(between.slice(-20)) || UUID.test(value) || !isRandom(value)) continue;
    const kind: SecretKind = password === undefined ? 'token' : 'password';
    const end = index + whole.length;
    secrets.push({ kind, start: end - value.length, end });
  }
  return secrets;
}

const EXPRESSION = /^[A-Za-z_$][\w$]*(?:\(|\[|<|\?\.|->|::|\.[A-Za-z_$])|,[A-Za-z_$][\w$]*:|\w\(|[)}\]][({]|&&|\|\||=>|[!=]==|\/\*/;
/** Never part of an unquoted token. */
const CODE = /[(){}<>|]|,\w/;
/** Type and function names, which code uses as values. */
const NAME_OF_CODE = /^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)+|[A-Z]+(?:_[A-Z]+)+|\d{1,5}|0x[\da-f]+)$/;
const NAMED_PASSWORD = /(?:^|[_-])pass(?:word|wd|phrase|code)s?(?:[_-]|$)/i;
/** Words of a sentence, not of a passphrase. */
const SENTENCE = /\b(?:is|are|was|must|may|can|the|your|please|enter|for|to|of|and|or|at|in|not|no)\b/i;
const EXCLAMATION = '!?';
const SYMBOL = /[!@#$%^&*?~]/;

/** Whether a value in this context is a secret. */
function isSecret(value: string, setting: Setting): boolean {
  const { isPassword, isTold, isQuoted } = setting;
  const plain = withoutEnd(value, EXCLAMATION);
  if (isPlaceholder(plain) || LOCATION.test(value) || MEASURE.test(value)) return false;
  if (!isQuoted && (EXPRESSION.test(value) || (setting.isInCode && NAME_OF_CODE.test(value)))) return false;
  if (/\s/.test(value)) return isPassword && setting.isBound && value.length >= 8 && !SENTENCE.test(value);
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\d/.test(value);
  if (!isPassword) return isToken(value, setting);
  if (isTechnical(value) || (NAMED_PASSWORD.test(value) && isWording(value))) return false;
  const isMixed = (hasLetter && hasDigit) || SYMBOL.test(plain);
  if (isTold) return isMixed && value.length > 5 && !value.includes('-');
  if (isMixed) return value.length > 4;
  if (!hasLetter) return /^\d{4,}$/.test(value) && (isQuoted || setting.isLast);
  if (isQuoted) return value.length > 3;
  return value.length > 5 && (setting.isLast || setting.isVariable);
}

function isToken(value: string, { isTold, isBound, isQuoted }: Setting): boolean {
  if (!isQuoted && CODE.test(value)) return false;
  if (value.length < 8 || !/[A-Za-z]/.test(value) || /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(value)) return false;
  if (isTold) return isRandom(value) || UUID.test(value);
  if (isRandom(value) || UUID.test(value)) return true;
  if (/^[A-Za-z]+\d+$/.test(value)) return (isBound || isQuoted) && !isTechnical(value);
  if (isWording(value)) return (isBound || isQuoted) && (/^[a-z]{20,}$/.test(value) || isScrambled(value));
  return /\d/.test(value) || (value.length > 15 && /[a-z][A-Z]|[+/=]/.test(value));
}
