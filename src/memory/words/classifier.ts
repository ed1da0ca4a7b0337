/** Bits of a feature's hash: enough that collisions are rare. */
const PLACE_BITS = 24;
const LEAST_KNOWN = 4;

/** Written by test/eval/model/classifier.mjs. */
export interface ClassifierTable {
  readonly bias: number;
  readonly scale: number;
  /**
   * Base64, per hash in ascending order: the distance to the previous one (varint, seven bits a byte), then the weight (one signed byte).
   */
  readonly weights: string;
}

/** Hash of a feature: its place in the table. FNV-1a. */
export function placeOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) >>> (32 - PLACE_BITS);
}

/** Scales the sum of weights: more features do not mean more certainty. */
export const strengthOf = (known: number): number => 6 / Math.sqrt(Math.max(LEAST_KNOWN, known));

/** A logistic regression over named features of a text. */
export class Classifier {
  readonly #table: ClassifierTable;
  /** Decoded on first use: most commands need no classifier. */
  #weights: ReadonlyMap<number, number> | undefined;

  constructor(table: ClassifierTable) {
    this.#table = table;
  }

  /** Probability 0..1. */
  chanceOf(features: readonly string[]): number {
    const { bias, scale, weights } = this.#table;
    const table = (this.#weights ??= decode(Buffer.from(weights, 'base64')));
    const known = features.flatMap((feature) => table.get(placeOf(feature)) ?? []);
    const sum = known.reduce((total, weight) => total + weight, 0);
    return 1 / (1 + Math.exp(-(bias + scale * strengthOf(known.length) * sum)));
  }
}

function decode(bytes: Uint8Array): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  let [place, distance, shift, isWeight] = [0, 0, 0, false];
  for (const byte of bytes) {
    if (isWeight) {
      place += distance;
      table.set(place, (byte << 24) >> 24);
      [distance, shift, isWeight] = [0, 0, false];
    } else {
      distance |= (byte & 0x7f) << shift;
      shift += 7;
      isWeight = byte < 0x80;
    }
  }
  return table;
}
