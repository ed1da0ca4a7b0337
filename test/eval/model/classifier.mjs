// Trains a table of src/memory/words/classifier.ts. The same for the same texts.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomFrom } from './random.mjs';

const { placeOf, strengthOf } = await import('../../../dist/memory/words/classifier.js');

const EPOCHS = 16;
const SEEDS = [1, 2, 3, 4];
const RATE = 0.03;
const DECAY = 0.05;
const MOST = 127;

/** AdaGrad; the mean of the weights of the later half is surer than the last ones. */
function trained(examples, count, { seed, epochs }) {
  const random = randomFrom(seed);
  const order = [...examples];
  const [now, squares, sum] = [new Float64Array(count), new Float64Array(count).fill(1e-6), new Float64Array(count)];
  let [bias, biasSquares, biasSum, means] = [0, 1e-6, 0, 0];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other], order[at]];
    }
    for (const { columns, is, weight } of order) {
      const strength = strengthOf(columns.length);
      const score = columns.reduce((total, column) => total + strength * now[column], bias);
      const error = weight * (1 / (1 + Math.exp(-score)) - Number(is));
      for (const column of columns) {
        const step = error * strength + DECAY * now[column];
        squares[column] += step * step;
        now[column] -= (RATE * step) / Math.sqrt(squares[column]);
      }
      biasSquares += error * error;
      bias -= (RATE * error) / Math.sqrt(biasSquares);
    }
    if (epoch * 2 < epochs) continue;
    means += 1;
    biasSum += bias;
    for (let column = 0; column < count; column++) sum[column] += now[column];
  }
  return { weights: sum.map((each) => each / means), bias: biasSum / means };
}

/** Distances between places, and weights. */
function encoded(places, bytes) {
  const out = [];
  let last = 0;
  for (const [column, place] of places.entries()) {
    if (bytes[column] === 0) continue;
    let distance = place - last;
    last = place;
    for (; distance > 0x7f; distance >>>= 7) out.push((distance & 0x7f) | 0x80);
    out.push(distance, bytes[column] & 0xff);
  }
  return Buffer.from(out).toString('base64');
}

/**
 * labelled: [{ features: [name], is, weight }] -> { bias, scale, weights }. `least`: texts that must have a feature (of one text alone it says nothing);
 * `smallest`: weights under this share of the largest are left out; `seeds`: the mean of so many runs.
 */
export function trainClassifier(labelled, { least = 2, smallest = 0, epochs = EPOCHS, seeds = SEEDS } = {}) {
  const read = labelled.map(({ features, ...about }) => ({ ...about, places: [...new Set(features.map(placeOf))] }));
  const textsOf = new Map();
  for (const place of read.flatMap(({ places }) => places)) textsOf.set(place, (textsOf.get(place) ?? 0) + 1);
  const places = [...textsOf.keys()].filter((place) => textsOf.get(place) >= least).toSorted((a, b) => a - b);
  const columnOf = new Map(places.map((place, column) => [place, column]));
  const examples = read.map((each) => ({ ...each, columns: each.places.flatMap((place) => columnOf.get(place) ?? []) }));
  const models = seeds.map((seed) => trained(examples, places.length, { seed, epochs }));
  const mean = (of) => models.reduce((total, model) => total + of(model), 0) / models.length;
  const weights = places.map((_, column) => mean((model) => model.weights[column]));
  const most = weights.reduce((so, weight) => Math.max(so, Math.abs(weight)), 0);
  const bytes = weights.map((weight) => (Math.abs(weight) < smallest * most ? 0 : Math.round((MOST * weight) / most)));
  return { bias: mean(({ bias }) => bias), scale: most / MOST, weights: encoded(places, bytes) };
}

/** Writes a table as a source file that exports it as `name`; `maker`: the script that made it. */
export function writeClassifier(file, { bias, scale, weights }, { name, maker }) {
  const types = path.relative(path.dirname(file), path.join(file.slice(0, file.lastIndexOf('/src/')), 'src/memory/words/classifier.ts'));
  writeFileSync(
    file,
    `// Made by ${maker}; do not edit.
import type { ClassifierTable } from '${types.startsWith('.') ? types : `./${types}`}';

export const ${name}: ClassifierTable = {
  bias: ${Number(bias.toFixed(4))},
  scale: ${Number(scale.toFixed(6))},
  weights:
    '${weights}',
};
`,
  );
}
