import type { Secret, SecretKind } from './secret-kinds.ts';
import { isPlaceholder, isRandom, isScrambled, isTechnical, isWording } from './secret-values.ts';

const PASSWORD_WORD = String.raw`pass(?:word|wd|phrase|code|(?==))|pwd|\bpw\b|passwort|kennwort|mot de passe|contraseña|пароль|密[码碼]|パスワード|비밀번호`;
const TOKEN_WORD = String.raw`token|secret|credentials?|(?:api|access|secret|private|signing|signature|encryption|master|account|storage|shared|license|licence|deploy|service|webhook)[ _-]?key|(?<![A-Za-z])auth`;
/** Not in what was redacted before. */
const NAME = String.raw`(?:(${PASSWORD_WORD})|(${TOKEN_WORD}))(?<!\[redacted: [a-z-]{0,20})`;
/** `DB_PASSWORD_PROD`, `password (staging)`, `password for the wiki`, `**password**`. */
const AFTER_NAME = String.raw`(?:[_-]?(?:prod|production|dev|development|staging|test|local|live|\d{1,2}))?(?: {1,2}\([^()\n]{1,40}\)| (?:for|of|on|für|von)(?: [\w@./'-]{1,32}){1,4}?)?(?:\\?["'${'`'}]\]?)?\*{0,3}`;
/** Not a line break: what follows one belongs to another name. */
const BLANKS = String.raw`[^\S\r\n]{0,3}`;
const ASSIGNED = new RegExp(
  String.raw`${NAME}${AFTER_NAME}(?: (?:is|ist|lautet|est|es))?(${BLANKS})(?:(=>|:=|={1,3}|[:：]\*{0,3})|(?<=\s)(?:is|ist|lautet|est|es)(?=\s))(${BLANKS})`,
  'gi',
);
/** `--password x`; `curl -u user:x`. */
const OPTION = /(?<!\S)--[\w-]{0,40}(?:password|passwd|passphrase|token|secret|api-?key|access-?key|secret-?key)[ \t]{1,3}(?![-\s])/gi;
/** As `.netrc` has it. */
const LOGIN = /\blogin\s{1,3}\S{1,64}\s{1,3}password\s{1,3}/gi;
const USER_OPTION = /(?<!\S)(?:-u|--user)[ =]{1,2}["']?[^\s:"'$]{1,64}:/g;
/** A word, some others in its line, and then what looks like nothing but a secret. */
const NEAR = new RegExp(String.raw`${NAME}\b([^\n]{1,48}?)(?<![\w+/=.-])([\w+/-]{20,512}={0,2})(?![\w+/=.])`, 'gi');
/** Names of other things that look as random. */
const OTHER_ID = /commit|\bsha\b|hash|digest|checksum|md5|revision|uuid|trace|build|image|branch|\bids?\b|\bfile|\bpath|:\/\/|[{(<]$/i;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const SIGNS = ['pass', 'pw', 'kennwort', 'contrase', 'парол', '密', 'パス', '비밀', 'token', 'secret', 'credential', 'key', 'auth', '-u'];

/** How a value stands beside its name. */
interface Setting {
  readonly isPassword: boolean;
  /** A word such as `is`, and no sign. */
  readonly isTold: boolean;
  /** `=`, or a colon without a blank around it or behind a quoted name. */
  readonly isBound: boolean;
  readonly isQuoted: boolean;
  /** The name is in capitals, and is followed by the value at once. */
  readonly isVariable: boolean;
  /** Nothing follows it but the end of a line or of a clause. */
  readonly isLast: boolean;
}

/** Values that stand beside a word such as `password`, `token` or `api key` and look like a secret. */
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
    // Names inside are part of it, and are not tried each to its end.
    if (value.text.length > LONG_VALUE) ASSIGNED.lastIndex = value.start + value.text.length;
    const isPassword = password !== undefined;
    const isBound = sign !== undefined && (!/[:：]/.test(sign) || `${before}${after}` === '' || /["'`]/.test(whole));
    const isVariable = /^[A-Z_]{3,}=$/.test(whole);
    const { isQuoted, isLast } = value;
    if (isSecret(value.text, { isPassword, isTold: sign === undefined, isBound, isVariable, isQuoted, isLast })) {
      secrets.push({ kind: isPassword ? 'password' : 'token', start: value.start, end: value.start + value.text.length });
    }
  }
  return secrets;
}

function options(text: string): Secret[] {
  const secrets: Secret[] = [];
  const take = (pattern: RegExp, isPasswordIn: (option: string) => boolean): void => {
    for (const { 0: option, index } of text.matchAll(pattern)) {
      const value = valueAt(text, index + option.length);
      const isPassword = isPasswordIn(option);
      const setting = { isPassword, isTold: false, isBound: true, isVariable: false, isLast: true };
      if (value === undefined || !isSecret(value.text, { ...setting, isQuoted: value.isQuoted })) continue;
      secrets.push({ kind: isPassword ? 'password' : 'token', start: value.start, end: value.start + value.text.length });
    }
  };
  if (text.includes('--')) take(OPTION, (option) => /pass/i.test(option));
  if (text.includes('login')) take(LOGIN, () => true);
  if (text.includes('curl') || text.includes('wget')) take(USER_OPTION, () => true);
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

/** Longer ones are read once, whatever they hold. */
const LONG_VALUE = 256;
const QUOTE = /\\?["'`]/y;
/** By what they begin with; what was quoted twice has a backslash before its quotes, and none else. */
const QUOTED = new Map<string, RegExp>(
  ['"', "'", '`'].flatMap((quote) => [
    [quote, new RegExp(String.raw`(?:[^${quote}\\\n]|\\[^\n])+`, 'y')],
    [`\\${quote}`, new RegExp(String.raw`[^${quote}\\\n]+`, 'y')],
  ]),
);
/** Ends before the next field of a query, a header or a connection string, and where a link in Markdown does. */
const UNQUOTED = /(?:(?!&[\w.-]{1,64}=|[;,](?:\s|$|[\w. -]{1,64}=)|\)?\]\(|\[redacted: |\\[nrt"'`])[^\s"'`])+/y;
const TRAILING = '.,;:)}]>';
const END_OF_CLAUSE = /^[.,;:!)}\]>]*(?:\s*$|[ \t]*[\r\n]|(?<=[.,;:!)]) )/;

function valueAt(text: string, at: number): { text: string; start: number; isQuoted: boolean; isLast: boolean } | undefined {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0] ?? '';
  const start = at + quote.length;
  const pattern = QUOTED.get(quote) ?? UNQUOTED;
  pattern.lastIndex = start;
  const written = pattern.exec(text)?.[0];
  if (written === undefined) return undefined;
  const value = quote === '' ? withoutEnd(written, TRAILING) : written;
  const end = start + value.length;
  return { text: value, start, isQuoted: quote !== '', isLast: END_OF_CLAUSE.test(text.slice(end, end + 16)) };
}

function withoutEnd(value: string, signs: string): string {
  let end = value.length;
  while (end > 0 && signs.includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

const EXPRESSION = /^[A-Za-z_$][\w$]*(?:\(|\[|\?\.|->|::|\.[A-Za-z_$])/;
const PLACE = /^(?:~?\.{0,2}\/|[A-Za-z]:\\|[a-z][a-z\d+.-]*:\/\/|(?:arn|vault|ssm|op|env|file|ref|secret|keychain):)/;
const MEASURE =
  /^(?:\d{1,4}(?:ms|s|sec|seconds?|m|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|years?|x|k|kb|mb|bytes?|chars?|characters|bits?)|\d{4}-\d\d.*|v?\d+(?:\.\d+)+.*)$/i;
/** Of a sentence, and of no passphrase. */
const SENTENCE = /\b(?:is|are|was|must|may|can|the|your|please|enter|for|to|of|and|or|at|in|not|no)\b/i;
const EXCLAMATION = '!?';
const SYMBOL = /[!@#$%^&*?~]/;

/** Whether a value that was given to such a name is one that lets somebody in. */
function isSecret(value: string, setting: Setting): boolean {
  const { isPassword, isTold, isQuoted } = setting;
  const plain = withoutEnd(value, EXCLAMATION);
  if (isPlaceholder(plain) || PLACE.test(value) || MEASURE.test(value)) return false;
  if (!isQuoted && EXPRESSION.test(value)) return false;
  if (/\s/.test(value)) return isPassword && setting.isBound && value.length >= 8 && !SENTENCE.test(value);
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\d/.test(value);
  if (!isPassword) return isToken(value, setting);
  if (isTechnical(value)) return false;
  const isMixed = (hasLetter && hasDigit) || SYMBOL.test(plain);
  if (isTold) return isMixed && value.length > 5 && !value.includes('-');
  if (isMixed) return value.length > 4;
  if (!hasLetter) return /^\d{4,}$/.test(value) && (isQuoted || setting.isLast);
  if (isQuoted) return value.length > 3;
  return value.length > 5 && (setting.isLast || setting.isVariable);
}

function isToken(value: string, { isTold, isBound, isQuoted }: Setting): boolean {
  if (value.length < 8 || !/[A-Za-z]/.test(value) || /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(value)) return false;
  if (isTold) return isRandom(value) || UUID.test(value);
  if (isRandom(value) || UUID.test(value)) return true;
  if (/^[A-Za-z]+\d+$/.test(value)) return (isBound || isQuoted) && !isTechnical(value);
  if (isWording(value)) return (isBound || isQuoted) && (/^[a-z]{20,}$/.test(value) || isScrambled(value));
  return /\d/.test(value) || (value.length > 15 && /[a-z][A-Z]|[+/=]/.test(value));
}
