/** Length of a hashed vector. */
export const WIDTH = 384;

/** Number of coordinates per word: makes accidental similarity unlikely. */
const WORD_COORDINATES = 32;
/** Length of the n-gram part of a word vector relative to the word part (measured; anything from 0.3 to 3 does nearly as well). */
const GRAM_LENGTH = 1.5;
const SHORTEST_GRAM = 2;
const LONGEST_GRAM = 4;

/** Capacity for about 20,000 words: 6 MB, without an object per word. */
const SLAB = 1 << 20;

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const GRAM_BASIS = 0x2f0b4c47;
const GOLDEN = 0x9e3779b9;

const places = new Uint16Array(SLAB);
const values = new Float32Array(SLAB);
/** Token -> start * 512 + count in the slab. */
const slots = new Map<string, number>();
const scratch = new Float64Array(WIDTH);
let used = 0;

/** Adds `weight` times the unit vector of a token. Deterministic; vectors are cached in a bounded slab. */
export function addWord(vector: Float32Array, token: string, weight: number): void {
  const slot = slots.get(token) ?? remember(token);
  const start = Math.floor(slot / 512);
  const end = start + (slot % 512);
  for (let at = start; at < end; at++) {
    const place = places[at] as number;
    vector[place] = (vector[place] as number) + (values[at] as number) * weight;
  }
}

function remember(token: string): number {
  // Clearing the cache rarely costs some microseconds per word and needs no order of use.
  if (used + WIDTH > SLAB) {
    slots.clear();
    used = 0;
  }
  scatter(token);
  let squares = 0;
  for (const value of scratch) squares += value * value;
  const scale = 1 / Math.sqrt(squares);
  const start = used;
  for (let place = 0; place < WIDTH; place++) {
    const value = scratch[place] as number;
    if (value === 0) continue;
    places[used] = place;
    values[used++] = value * scale;
  }
  const slot = start * 512 + (used - start);
  slots.set(token, slot);
  return slot;
}

function scatter(token: string): void {
  scratch.fill(0);
  const word = hash(token, 0, token.length, FNV_BASIS);
  for (let nth = 0; nth < WORD_COORDINATES; nth++) bump(mix(word + Math.imul(nth, GOLDEN)), 1 / Math.sqrt(WORD_COORDINATES));
  // Borders are part of the grams, so that a prefix matches only prefixes.
  const bordered = `^${token}$`;
  let grams = 0;
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) grams += Math.max(0, bordered.length - size + 1);
  const weight = GRAM_LENGTH / Math.sqrt(grams);
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size++) {
    for (let at = 0; at + size <= bordered.length; at++) bump(hash(bordered, at, at + size, GRAM_BASIS), weight);
  }
}

function bump(hashed: number, weight: number): void {
  const place = (hashed >>> 8) % WIDTH;
  scratch[place] = (scratch[place] as number) + (hashed & 1 ? weight : -weight);
}

/** FNV-1a over UTF-16 units, then mixed: its low bits alone are too regular for short keys. */
function hash(text: string, start: number, end: number, basis: number): number {
  let state = basis;
  for (let at = start; at < end; at++) state = Math.imul(state ^ text.charCodeAt(at), FNV_PRIME);
  return mix(state);
}

/** The finaliser of MurmurHash3 (Austin Appleby, public domain). */
function mix(state: number): number {
  let mixed = state | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
