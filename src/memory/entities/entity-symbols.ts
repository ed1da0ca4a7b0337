import { canonicalSymbol, kindOf } from './entity-names.ts';
import { type Claim, matchesNearSigns, type TextPart } from './entity-text.ts';
import { isClassNoun, isCommonName, isGlobalObject, isProduct } from './entity-words.ts';
import { STOP_WORDS } from '../words/stop-words.ts';

/** Names joined by dots or double colons, each with type arguments, and the bracket of a call. Not next to other letters or a hyphen. */
const CHAIN =
  /(?<![\p{L}\p{N}_@#-])[A-Za-z_]\w*(?:<[\w:,&* ]{1,64}>(?=::))?(?:(?:\.|::)[A-Za-z_]\w*(?:<[\w:,&* ]{1,64}>(?=::))?)*(\(\)?)?(?![\p{L}\p{N}_])/gu;
/** Prefilter: a word without any of these is a plain word, which is a symbol only in a code span. */
const SIGN = /_|[A-Z](?<=\w.)|\.(?<=\w.)(?=[A-Za-z_])|::|\(\)/g;
const ANY_WORD = /\S/g;
/** Type arguments before this may contain blanks. */
const TYPE_ARGUMENTS_INSIDE = '>::';
const LONGEST_CHAIN = 300;
const LONGEST_WORD = 64;
const CAMEL_BORDER = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const SNAKE = /^_{0,2}[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+$/;
const LOWER_CAMEL = /^_?[a-z]{2,}[a-z\d]*(?:[A-Z][a-zA-Z\d]*)+$/;
const UPPER_CAMEL = /^_?[A-Z][A-Za-z\d]*[a-z][A-Za-z\d]*$/;
const CAPITALISED = /^[A-Z][a-z\d]{2,}$/;
/** C integer types: too common to be entities. */
const C_TYPE = /^(?:u?int\d+|s?size|ptrdiff|wchar|char\d+)_t$/;
const PLACEHOLDER = /(?:^|_)[XN]{3,}(?:$|_)/;
const LOCALE = /^[a-z]{2}_[A-Z]{2}$/;
const HOST = /\.(?:com|org|net|io|dev|de|fr|eu|uk|ai|co|gov|edu|info|example|local|internal|invalid)$/i;
const REVERSED_HOST = /^(?:(?:com|org|io|net|dev|androidx)\.[a-z\d_]+\.|(?:java|javax|jakarta|kotlin)\.)/;
const FUNCTION_WORDS: ReadonlySet<string> = new Set(STOP_WORDS);

interface Occurrence {
  /** The name as written, without the bracket of a call. */
  readonly chain: string;
  /** `()`, `(` before arguments, or empty. */
  readonly call: string;
  /** It is the whole code span. */
  readonly alone: boolean;
  readonly code: boolean;
  /** The character before it. */
  readonly before: string;
  readonly after: string;
}

/** Finds code names: functions, methods, classes, fields, constants. A plain word counts only as `word()` or, for a class, in backticks. */
export function findSymbols({ text, form }: TextPart): Claim[] {
  const claims: Claim[] = [];
  const whole = text.trim();
  const sign = form === 'span' || text.includes(TYPE_ARGUMENTS_INSIDE) ? ANY_WORD : SIGN;
  for (const { 0: match, 1: call = '', index } of matchesNearSigns(text, { sign, pattern: CHAIN })) {
    const end = index + match.length;
    const chain = match.slice(0, match.length - call.length);
    if (chain.length > LONGEST_CHAIN) continue;
    const alone = form === 'span' && (whole === match || (whole.startsWith(match) && call === '(' && whole.endsWith(')')));
    const occurrence = { chain, call, alone, code: form !== 'prose', before: text.charAt(index - 1), after: text.charAt(end) };
    const name = nameOf(occurrence);
    if (name !== undefined) claims.push({ start: index, end, found: { name, kind: 'symbol' } });
  }
  return claims;
}

function nameOf(occurrence: Occurrence): string | undefined {
  const bare = occurrence.chain.replace(/<[^<>]*>/g, '').replace(/^(?:this|self)\./, '');
  const parts = bare.split(/\.|::/);
  if (parts.some((part) => part.length > LONGEST_WORD || isRandom(part))) return undefined;
  const isName = parts.length > 1 ? isChain(bare, parts, occurrence) : isWord(bare, occurrence);
  if (!isName) return undefined;
  const name = kindOf(bare) === 'symbol' ? bare : canonicalSymbol(`${bare}()`);
  return occurrence.call === '' && name !== bare ? undefined : name;
}

function isChain(bare: string, parts: readonly string[], { call, alone, after }: Occurrence): boolean {
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.includes('_') || first === 'console') return false;
  if (bare.includes('::')) return parts.every((part) => part.length > 1) && !/^[\da-f:]+$/i.test(bare);
  if (call !== '') return first.length > 1 && last.length > 1 && (!isCommonName(last) || parts.some(isCompound));
  if (HOST.test(bare) || after === '-') return false;
  if (alone || REVERSED_HOST.test(bare) || isGlobalObject(first)) return first.length > 1 && parts.every((part) => !/^v?\d/.test(part));
  // A sentence may begin directly after a full stop.
  if (FUNCTION_WORDS.has(last.toLowerCase())) return false;
  if (parts.some(isCompound)) return first.length > 1;
  return parts.every((part) => /^[A-Z][A-Za-z\d]{2,}$/.test(part) && /[a-z]/.test(part));
}

function isWord(word: string, { call, alone, code, before, after }: Occurrence): boolean {
  if (word === '_' || isProduct(word)) return false;
  // A member without its object, such as `.Result`, is too little evidence.
  if (isCompound(word)) return before !== '.' || call !== '' || !UPPER_CAMEL.test(word);
  if (isCommonName(word)) return false;
  if (call === '()' || (call === '(' && alone)) return word.length > 1 && /[a-z]/.test(word);
  if (UPPER_CAMEL.test(word)) {
    const humps = humpsOf(word);
    if (humps.length > 1) return (code || call !== '' || before === '<') && after !== '-' && word.length > 4;
  }
  return alone && CAPITALISED.test(word);
}

/** Whether a word has at least two parts, as only code names have. */
function isCompound(word: string): boolean {
  if (isProduct(word)) return false;
  if (SNAKE.test(word)) return isSnake(word);
  if (LOWER_CAMEL.test(word)) return word.length > 4 && !/^[a-z]+OS$/.test(word);
  if (!UPPER_CAMEL.test(word)) return false;
  const humps = humpsOf(word);
  const last = humps.at(-1) ?? '';
  if (humps.length === 2) return isClassNoun(last);
  return humps.length > 2 && humps.filter((hump) => hump.length > 2).length > 1;
}

function isSnake(word: string): boolean {
  const parts = word.split('_').filter((part) => part !== '');
  const lettered = parts.filter((part) => /[A-Za-z]/.test(part));
  if (C_TYPE.test(word) || LOCALE.test(word) || PLACEHOLDER.test(word) || lettered.length < 2) return false;
  return parts.some((part) => part.replace(/[^A-Za-z]/g, '').length > 2);
}

const humpsOf = (word: string): string[] => word.replace(/^_/, '').split(CAMEL_BORDER);

/** Keys, hashes and encoded bytes: not names, and possibly secrets. */
function isRandom(word: string): boolean {
  if (word.length < 12) return false;
  const turns = word.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  if (turns > 4) return true;
  if (word.split('_').some((part) => part.length > 15 && /\d/.test(part) && /[A-Za-z]/.test(part) && turns > 1)) return true;
  const humps = humpsOf(word);
  return humps.length > 4 && humps.filter((hump) => hump.length < 3).length > humps.length / 2;
}
