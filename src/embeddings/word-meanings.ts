import { readFileSync } from 'node:fs';
import { dotProduct } from '../memory/dot-product.ts';
import { RecentMap } from '../memory/recent-map.ts';

/**
 * Word vectors made from a sentence model by test/eval/model/word-meanings.mjs (docs/adr/0058, 0064). File format: three uint32 (count,
 * width, bytes of text), the tokens separated by line breaks, then for each token one byte of weight and one byte for each number of its
 * vector.
 */
const FILE = new URL('../../bin/assets/word-meanings.bin', import.meta.url);
const HEAD_BYTES = 12;
/** Size of the cache: about 300 bytes plus the text for each entry. */
const REMEMBERED = 4000;
/** Longer texts have several subjects. */
const MAX_CHARS = 4000;

/**
 * Filter by the leading numbers of a vector, which carry most information: how many, and the share of the final threshold they must reach.
 * Misses one word in fourteen, in half the time.
 */
const LEADING = 24;
const LEADING_SHARE = 1 / 3;

interface Table {
  readonly places: ReadonlyMap<string, number>;
  readonly rows: Int8Array;
  readonly width: number;
  /** What each number of a token's vector is multiplied by in a mean; 0 until the token is first met. */
  readonly scales: Float64Array;
}

let table: Table | undefined;
const remembered = new RecentMap<string, Float32Array>(REMEMBERED);

/**
 * The meaning of a search text (tokens joined by blanks): the weighted mean of its distinct words, of length 1, or 0 if none is known.
 * Reads the table on first use.
 */
export function meaningOf(stream: string): Float32Array {
  const known = remembered.get(stream);
  if (known !== undefined) return known;
  table ??= readTable();
  const meaning = new Float32Array(table.width);
  if (stream.length <= MAX_CHARS) for (const token of new Set(stream.split(' '))) addWord(meaning, token, table);
  const length = Math.sqrt(dotProduct(meaning, meaning));
  if (length > 0) for (let at = 0; at < meaning.length; at++) meaning[at]! /= length;
  remembered.set(stream, meaning);
  return meaning;
}

/** A token of the table, its index and the length of its vector. */
export interface KnownToken {
  readonly token: string;
  readonly place: number;
  readonly length: number;
}

/** Tokens of the table that pass. Tests all 35,000. */
export function knownTokens(passes: (token: string) => boolean): KnownToken[] {
  const { places, rows, width } = (table ??= readTable());
  return [...places].flatMap(([token, place]) => {
    if (!passes(token)) return [];
    let squares = 0;
    for (let at = place * (width + 1) + 1; at < (place + 1) * (width + 1); at++) squares += rows[at]! ** 2;
    return [{ token, place, length: Math.sqrt(squares) }];
  });
}

/** The tokens nearest to a meaning, best first; nearly all with a cosine above `least`. Compares it with each token of `among`. */
export function tokensNear(
  meaning: Float32Array,
  { among, most, least }: { readonly among: readonly KnownToken[]; readonly most: number; readonly least: number },
): string[] {
  const { rows, width } = (table ??= readTable());
  const near: { readonly token: string; readonly cosine: number }[] = [];
  for (const { token, place, length } of among) {
    const start = place * (width + 1) + 1;
    let product = 0;
    for (let at = 0; at < LEADING; at++) product += meaning[at]! * rows[start + at]!;
    if (product < LEADING_SHARE * least * length) continue;
    for (let at = LEADING; at < width; at++) product += meaning[at]! * rows[start + at]!;
    if (product > least * length) near.push({ token, cosine: product / length });
  }
  return near
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, most)
    .map(({ token }) => token);
}

function addWord(mean: Float32Array, token: string, { places, rows, width, scales }: Table): void {
  const place = places.get(token);
  if (place === undefined) return;
  const start = place * (width + 1) + 1;
  let scale = scales[place]!;
  if (scale === 0) {
    let squares = 0;
    for (let at = start; at < start + width; at++) squares += rows[at]! ** 2;
    scales[place] = scale = (rows[start - 1]! & 0xff) / (255 * Math.sqrt(squares));
  }
  for (let at = 0; at < width; at++) mean[at]! += scale * rows[start + at]!;
}

function readTable(): Table {
  const file = readFileSync(FILE);
  const [count, width, textBytes] = [file.readUInt32LE(0), file.readUInt32LE(4), file.readUInt32LE(8)];
  const names = file.toString('utf8', HEAD_BYTES, HEAD_BYTES + textBytes).split('\n');
  const start = file.byteOffset + HEAD_BYTES + textBytes;
  const places = new Map<string, number>();
  for (let at = 0; at < count; at++) places.set(names[at]!, at);
  const rows = new Int8Array(file.buffer, start, count * (width + 1));
  return { places, width, rows, scales: new Float64Array(count) };
}
