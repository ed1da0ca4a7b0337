/** Of the place of a feature: so many that hardly two share one. */
const PLACE_BITS = 24;
const LEAST_KNOWN = 4;

/** Made by test/eval/model/classifier.mjs. */
export interface ClassifierTable {
  readonly bias: number;
  readonly scale: number;
  /** Base64: of each place, in order, how far it is from the one before (seven bits a byte, the highest says that more follow), and its weight. */
  readonly weights: string;
}

/** Where a feature stands in a table. FNV-1a. */
export function placeOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) >>> (32 - PLACE_BITS);
}

/** A long text has more features, and is not surer for it. */
export const strengthOf = (known: number): number => 6 / Math.sqrt(Math.max(LEAST_KNOWN, known));

/** A logistic regression over named features of a text. */
export class Classifier {
  readonly #table: ClassifierTable;
  /** Read at first use: most commands need none. */
  #weights: ReadonlyMap<number, number> | undefined;

  constructor(table: ClassifierTable) {
    this.#table = table;
  }

  /** 0..1. */
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
