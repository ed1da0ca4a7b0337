// Moves vectors of tokens so that a prompt lies nearer to the fact that it needs than to other facts (docs/adr/0068). Plain arrays of numbers, one row after the other.
import { randomFrom } from './random.mjs';
import { dot } from './token-vectors.mjs';

const [FIRST, SECOND, LEAST] = [0.9, 0.99, 1e-4];
/** Facts that a prompt is compared with at a time. */
const BATCH = 64;
const TEMPERATURE = 0.15;
const RATE = 0.005;
/** Back to where a vector stood: words of few facts stay near. */
const PULL = 0.3;
const EPOCHS = 12;
/** Share of the tokens of a prompt that is left out each time. */
const DROPPED = 0.1;

function shuffle(list, next) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
}

/** Lists of BATCH items in a new order. Facts of one project stand together: they are harder to tell apart. */
function batchesOf(items, next) {
  const single = items.filter(({ project }) => project === undefined);
  const inOrder = [shuffle(single, next), shuffle(grouped(items), next).flatMap((own) => shuffle(own, next))];
  const batches = inOrder.flatMap((list) =>
    Array.from({ length: Math.floor(list.length / BATCH) }, (_, nth) => list.slice(nth * BATCH, (nth + 1) * BATCH)),
  );
  return shuffle(batches, next);
}

function grouped(items) {
  const projects = new Map();
  for (const item of items) {
    if (item.project === undefined) continue;
    const own = projects.get(item.project) ?? [];
    projects.set(item.project, own);
    own.push(item);
  }
  return [...projects.values()];
}

/** The sum over tokens, of length 1, with the length that it had. */
function unitSum(vectors, tokens, width) {
  const row = new Float64Array(width);
  for (const token of tokens) for (let k = 0; k < width; k++) row[k] += vectors[token * width + k];
  const length = Math.sqrt(dot(row, 0, row, 0, width)) || 1e-6;
  for (let k = 0; k < width; k++) row[k] /= length;
  return { row, length, tokens };
}

/** Shares that add up to 1. */
function softmax(values) {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/**
 * Contrastive training (InfoNCE in both directions, the other facts of a batch as the wrong ones) by Adam. items: [{ fact: token ids, prompts: [token ids], project? }];
 * vectors: changed in place. The same for the same items.
 */
export function match(vectors, { items, width }) {
  const start = Float32Array.from(vectors);
  const [mean, spread] = [new Float32Array(vectors.length), new Float32Array(vectors.length)];
  const next = randomFrom(7);
  const move = (token, slope) => {
    for (let k = 0, at = token * width; k < width; k++, at++) {
      const step = slope[k] + (PULL * (vectors[at] - start[at])) / BATCH;
      mean[at] = FIRST * mean[at] + (1 - FIRST) * step;
      spread[at] = SECOND * spread[at] + (1 - SECOND) * step * step;
      vectors[at] -= (RATE * mean[at]) / (Math.sqrt(spread[at]) + LEAST);
    }
  };
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    let loss = 0;
    for (const batch of batchesOf(items, next)) {
      const asked = batch.map(({ prompts }) => prompts[Math.floor(next() * prompts.length)].filter(() => next() >= DROPPED));
      const prompts = asked.map((tokens) => unitSum(vectors, tokens, width));
      const facts = batch.map(({ fact }) => unitSum(vectors, fact, width));
      const near = prompts.map(({ row }) => facts.map((fact) => dot(row, 0, fact.row, 0, width) / TEMPERATURE));
      const wanted = near.map(softmax);
      const back = near.map((_, nth) => softmax(near.map((row) => row[nth])));
      loss -= wanted.reduce((sum, row, nth) => sum + Math.log(row[nth]), 0);
      const slopes = [...prompts, ...facts].map(() => new Float64Array(width));
      for (let i = 0; i < BATCH; i++) {
        for (let j = 0; j < BATCH; j++) {
          const share = (wanted[i][j] + back[j][i] - (i === j ? 2 : 0)) / (2 * TEMPERATURE * BATCH);
          for (let k = 0; k < width; k++) {
            slopes[i][k] += share * facts[j].row[k];
            slopes[BATCH + j][k] += share * prompts[i].row[k];
          }
        }
      }
      const moved = new Map();
      for (const [nth, { row, length, tokens }] of [...prompts, ...facts].entries()) {
        const along = dot(slopes[nth], 0, row, 0, width);
        for (const token of tokens) {
          const slope = moved.get(token) ?? new Float64Array(width);
          for (let k = 0; k < width; k++) slope[k] += (slopes[nth][k] - along * row[k]) / length;
          moved.set(token, slope);
        }
      }
      for (const [token, slope] of moved) move(token, slope);
    }
    process.stdout.write(`epoch ${epoch}: loss ${(loss / items.length).toFixed(4)}\n`);
  }
}
