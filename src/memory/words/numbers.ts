import type { Synonym } from './synonyms.ts';
import { isStopWord, tokenize } from './tokens.ts';

const SMALL = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen`.split(/\s+/);
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const ENDINGS = ['th', 'st', 'nd', 'rd'];

/** A unit: short name, size relative to other units of its kind, and its words. */
type UnitLine = readonly [short: string, size: number, ...words: string[]];
const UNITS: readonly (readonly UnitLine[])[] = [
  [
    ['ms', 1, 'ms', 'millisecond'],
    ['s', 1000, 'sec', 'second'],
    ['min', 60_000, 'min', 'minute'],
    ['h', 3_600_000, 'hr', 'hour'],
    ['d', 86_400_000, 'day'],
  ],
  [
    ['kb', 1, 'kb', 'kilobyte'],
    ['mb', 1024, 'mb', 'megabyte'],
    ['gb', 1024 ** 2, 'gb', 'gigabyte'],
    ['tb', 1024 ** 3, 'tb', 'terabyte'],
  ],
];

interface Unit {
  readonly kind: readonly UnitLine[];
  readonly size: number;
}

const DIGITS = /^\d{1,12}$/;
const GROUP = /^\d{3}$/;
const THOUSANDS = /^(\d{1,9})k$/;
const WITH_UNIT = /^(\d{1,9})([a-z]{1,3})$/;

const values = new Map<string, number>([
  ...SMALL.map((word, value) => [tokenOf(word), value] as const),
  ...TENS.flatMap((word, ten) => (word === '' ? [] : [[tokenOf(word), 10 * ten] as const])),
  [tokenOf('dozen'), 12],
]);
const scales = new Map(
  (
    [
      ['hundred', 100],
      ['thousand', 1000],
      ['million', 1_000_000],
    ] as const
  ).map(([word, scale]) => [tokenOf(word), scale]),
);
const parts = new Map([
  [tokenOf('half'), 1 / 2],
  [tokenOf('quarter'), 1 / 4],
]);
const ordinals = new Map(ORDINALS.map((word, nth) => [tokenOf(word), `${nth + 1}${ENDINGS[nth + 1] ?? 'th'}`]));
const ordinalWords = new Map([...ordinals].map(([word, digits]) => [digits, word]));
const units = new Map<string, Unit>(
  UNITS.flatMap((kind) => kind.flatMap(([, size, ...words]) => words.map((word) => [tokenOf(word), { kind, size }] as const))),
);
const shortUnits = new Map<string, Unit>(UNITS.flatMap((kind) => kind.map(([short, size]) => [short, { kind, size }] as const)));

/** A number in a query. */
interface Quantity {
  readonly value: number;
  /** Number of tokens. */
  readonly length: number;
  /** Set if the unit is part of the token (`30s`), or for `half an hour`. */
  readonly unit?: Unit;
}

/**
 * Other notations of the numbers of a query, by token: `two` as 2, `10k` as 10,000 and 10000, `third` as 3rd, `half an hour` as 30 minutes;
 * with a unit of time or memory also converted (`3 seconds`: 3s, 3000 ms). A converted number without unit (`timeout_ms = 3000`) is only
 * `related`. Linear in the query.
 */
export function numberSynonyms(stream: readonly string[]): ReadonlyMap<string, readonly Synonym[]> {
  const found = new Map<string, readonly Synonym[]>();
  for (let at = 0; at < stream.length;) {
    const quantity = quantityAt(stream, at);
    const length = quantity?.length ?? 1;
    const forms = quantity === undefined ? ordinalForms(stream[at]!) : formsOf(quantity, units.get(stream[at + length] ?? ''));
    for (const token of forms.length === 0 ? [] : stream.slice(at, at + length)) {
      if (!isStopWord(token)) found.set(token, [...(found.get(token) ?? []), ...forms]);
    }
    at += length;
  }
  return found;
}

function quantityAt(stream: readonly string[], at: number): Quantity | undefined {
  const token = stream[at]!;
  const [, thousands] = THOUSANDS.exec(token) ?? [];
  if (thousands !== undefined) return { value: Number(thousands) * 1000, length: 1 };
  const [, count, name = ''] = WITH_UNIT.exec(token) ?? [];
  const unit = shortUnits.get(name) ?? units.get(name);
  if (count !== undefined && unit !== undefined) return { value: Number(count), length: 1, unit };
  if (parts.has(token)) return partOfUnit(stream, at);
  const plain = DIGITS.test(token) ? inDigits(stream, at) : inWords(stream, at);
  const scale = scales.get(stream[at + (plain?.length ?? 0)] ?? '');
  return plain === undefined || scale === undefined ? plain : { value: plain.value * scale, length: plain.length + 1 };
}

/** `half an hour`, `quarter of an hour`. */
function partOfUnit(stream: readonly string[], at: number): Quantity | undefined {
  let end = at + 1;
  while (end < at + 3 && isStopWord(stream[end] ?? '')) end++;
  const unit = units.get(stream[end] ?? '');
  return unit && { value: parts.get(stream[at]!)!, length: end + 1 - at, unit };
}

/** `10000` or `10,000`, which the tokenizer splits. */
function inDigits(stream: readonly string[], at: number): Quantity {
  let value = Number(stream[at]);
  let length = 1;
  while (stream[at]!.length <= 3 && GROUP.test(stream[at + length] ?? '')) value = value * 1000 + Number(stream[at + length++]);
  return { value, length };
}

function inWords(stream: readonly string[], at: number): Quantity | undefined {
  const value = values.get(stream[at]!);
  if (value === undefined) return undefined;
  const ones = value >= 20 ? (values.get(stream[at + 1] ?? '') ?? 0) : 0;
  return ones > 0 && ones < 10 ? { value: value + ones, length: 2 } : { value, length: 1 };
}

function formsOf({ value, unit: own }: Quantity, next: Unit | undefined): Synonym[] {
  const unit = own ?? next;
  const converted = unit === undefined ? [] : unit.kind.flatMap((line) => inUnit({ value, unit, isNamed: own === undefined }, line));
  return [...(own === undefined ? plainForms(value) : []).map(equivalent), ...converted];
}

/**
 * Converts a quantity to another unit: two hours as 120 minutes or 2h. `isNamed`: the query names the unit as a word of its own, which is
 * searched anyway.
 */
function inUnit({ value, unit, isNamed }: { value: number; unit: Unit; isNamed: boolean }, [short, size, ...words]: UnitLine): Synonym[] {
  const count = (value * unit.size) / size;
  if (!Number.isInteger(count)) return [];
  const together = equivalent([`${count}${short}`]);
  if (isNamed && size === unit.size) return [together];
  const named = words.flatMap((word) => plainForms(count).map((form) => equivalent([...form, tokenOf(word)])));
  return [together, ...named, { tokens: [String(count)], kind: 'related' }];
}

/** Notations of a number: digits, grouped digits, thousands (`10k`) and words. */
function plainForms(value: number): string[][] {
  const forms = [[String(value)]];
  if (value >= 1000) forms.push(value.toLocaleString('en-US').split(','));
  if (value >= 1000 && value % 1000 === 0) forms.push([`${value / 1000}k`]);
  if (value < 20) forms.push([tokenOf(SMALL[value]!)]);
  else if (value < 100) forms.push([TENS[Math.floor(value / 10)]!, ...(value % 10 === 0 ? [] : [SMALL[value % 10]!])].map(tokenOf));
  return forms;
}

function ordinalForms(token: string): Synonym[] {
  const other = ordinals.get(token) ?? ordinalWords.get(token);
  return other === undefined ? [] : [equivalent([other])];
}

const equivalent = (tokens: readonly string[]): Synonym => ({ tokens, kind: 'equivalent' });

function tokenOf(word: string): string {
  return tokenize(word)[0]!;
}
