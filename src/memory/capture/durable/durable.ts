import { featuresOf, type SaidTurn } from './durable-features.ts';
import { BIAS, SCALE, WEIGHTS } from './durable-weights.ts';

/** Of the place of a feature: so many that hardly two share one. */
const PLACE_BITS = 24;
const LEAST_KNOWN = 4;

let decoded: ReadonlyMap<number, number> | undefined;
/** Read at first use: a command that captures nothing does not need them. */
const weights = (): ReadonlyMap<number, number> => (decoded ??= decode(Buffer.from(WEIGHTS, 'base64')));

/** Where a feature stands in the table. FNV-1a. */
export function placeOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) >>> (32 - PLACE_BITS);
}

/** A long turn has more features, and is not surer for it. */
export const strengthOf = (known: number): number => 6 / Math.sqrt(Math.max(LEAST_KNOWN, known));

/**
 * How likely what a person said holds for long, from 0 to 1: a logistic regression over the features of the turn, trained by `test/eval/train-durable.mjs`.
 */
export function durabilityOf(turn: SaidTurn): number {
  const table = weights();
  const known = featuresOf(turn).flatMap((feature) => table.get(placeOf(feature)) ?? []);
  const sum = known.reduce((total, weight) => total + weight, 0);
  return 1 / (1 + Math.exp(-(BIAS + SCALE * strengthOf(known.length) * sum)));
}

/** Of each place, in order, how far it is from the one before (seven bits a byte, the highest says that more follow), and its weight. */
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
