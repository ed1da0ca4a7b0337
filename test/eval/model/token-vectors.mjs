// Vectors of tokens whose weighted mean foretells what a sentence model says of a text (docs/adr/0064). Plain arrays of numbers, one row after the other.

/** A word as common as this share of all weighs half (smooth inverse frequency). */
export const COMMON = 1e-3;
const ROUNDS = 40;
const SAMPLE = 20_000;
/** Adam, with a step for a token only where one of its texts is read. */
const [FIRST, SECOND, LEAST] = [0.9, 0.999, 1e-4];

export const dot = (a, aStart, b, bStart, width) => {
  let sum = 0;
  for (let at = 0; at < width; at++) sum += a[aStart + at] * b[bStart + at];
  return sum;
};

/** Brings a row to length 1; tells how long it was. */
function unit(rows, start, width) {
  const length = Math.sqrt(dot(rows, start, rows, start, width));
  if (length > 0) for (let at = start; at < start + width; at++) rows[at] /= length;
  return length;
}

export function meanOf(rows, width) {
  const mean = new Float64Array(width);
  for (let at = 0; at < rows.length; at++) mean[at % width] += rows[at];
  return mean.map((sum) => (sum * width) / rows.length);
}

/** The directions in which the rows differ most from their mean: orthogonal iteration from a fixed beginning, over a sample. */
export function principal(rows, { mean, count }) {
  const width = mean.length;
  const spread = Array.from({ length: width }, () => new Float64Array(width));
  const all = rows.length / width;
  const row = new Float64Array(width);
  for (let nth = 0; nth < Math.min(all, SAMPLE); nth++) {
    const start = Math.floor((nth * all) / Math.min(all, SAMPLE)) * width;
    for (let i = 0; i < width; i++) row[i] = rows[start + i] - mean[i];
    for (let i = 0; i < width; i++) for (let j = 0; j < width; j++) spread[i][j] += row[i] * row[j];
  }
  let axes = Array.from({ length: count }, (_, k) => Float64Array.from({ length: width }, (_unused, at) => Math.sin((k + 1) * (at + 1))));
  for (let round = 0; round < ROUNDS; round++) {
    axes = axes.map((axis) => Float64Array.from({ length: width }, (_, i) => dot(spread[i], 0, axis, 0, width)));
    for (const [k, axis] of axes.entries()) {
      for (const before of axes.slice(0, k)) {
        const share = dot(axis, 0, before, 0, width);
        for (let i = 0; i < width; i++) axis[i] -= share * before[i];
      }
      unit(axis, 0, width);
    }
  }
  return axes;
}

/** The rows seen from `mean` along the axes, each of length 1. */
export function projected(rows, { mean, axes }) {
  const [from, to] = [mean.length, axes.length];
  const count = rows.length / from;
  const short = new Float32Array(count * to);
  const row = new Float64Array(from);
  for (let nth = 0; nth < count; nth++) {
    for (let i = 0; i < from; i++) row[i] = rows[nth * from + i] - mean[i];
    for (let k = 0; k < to; k++) short[nth * to + k] = dot(axes[k], 0, row, 0, from);
    unit(short, nth * to, to);
  }
  return short;
}

/** In an order that looks random and is the same each time. */
function shuffle(order, seed) {
  let state = seed;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
}

/**
 * Moves the vectors so that the sum over the tokens of each text points to where its target does. The pull back to where a vector stood is the same for all,
 * so that a token of few texts stays near. Tokens below `fixed` do not move.
 *
 * texts: token ids of each text; targets: a row of length 1 for each; vectors: changed in place.
 */
export function train(vectors, { texts, targets, width, epochs, rate, pull, fixed = 0 }) {
  const start = Float32Array.from(vectors);
  const [mean, spread] = [new Float32Array(vectors.length), new Float32Array(vectors.length)];
  const steps = new Int32Array(vectors.length / width);
  const seen = new Int32Array(vectors.length / width);
  for (const tokens of texts) for (const token of tokens) seen[token]++;
  const sum = new Float64Array(width);
  const slope = new Float64Array(width);
  const move = (token, speed) => {
    const step = ++steps[token];
    const back = (2 * pull) / seen[token];
    const [firstShare, secondShare] = [1 - FIRST ** step, 1 - SECOND ** step];
    for (let at = token * width, k = 0; k < width; at++, k++) {
      const gradient = slope[k] + back * (vectors[at] - start[at]);
      mean[at] = FIRST * mean[at] + (1 - FIRST) * gradient;
      spread[at] = SECOND * spread[at] + (1 - SECOND) * gradient * gradient;
      vectors[at] -= (speed * mean[at]) / firstShare / (Math.sqrt(spread[at] / secondShare) + LEAST);
    }
  };
  const order = Int32Array.from(texts, (_, at) => at);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, epoch + 1);
    let nearness = 0;
    for (const nth of order) {
      sum.fill(0);
      for (const token of texts[nth]) for (let k = 0; k < width; k++) sum[k] += vectors[token * width + k];
      const length = unit(sum, 0, width);
      if (length === 0) continue;
      const cosine = dot(sum, 0, targets, nth * width, width);
      nearness += cosine;
      for (let k = 0; k < width; k++) slope[k] = (cosine * sum[k] - targets[nth * width + k]) / length;
      for (const token of texts[nth]) if (token >= fixed) move(token, rate * (1 - epoch / epochs));
    }
    process.stdout.write(`epoch ${epoch + 1}: mean cosine ${(nearness / texts.length).toFixed(4)}\n`);
  }
}

/** The sum over the tokens of each text, of length 1, or 0 where it has none. */
export function sums(vectors, { texts, width }) {
  const rows = new Float32Array(texts.length * width);
  for (const [nth, tokens] of texts.entries()) {
    for (const token of tokens) for (let k = 0; k < width; k++) rows[nth * width + k] += vectors[token * width + k];
    unit(rows, nth * width, width);
  }
  return rows;
}

/** Puts the tokens from `from` on where the targets of their texts are on the whole, each as long as it is rare. */
export function begin(vectors, { from, texts, targets, width }) {
  const mean = meanOf(targets, width);
  const counts = new Float64Array(vectors.length / width);
  for (const [nth, tokens] of texts.entries()) {
    for (const token of tokens.filter((id) => id >= from)) {
      counts[token]++;
      for (let k = 0; k < width; k++) vectors[token * width + k] += targets[nth * width + k] - mean[k];
    }
  }
  const all = texts.reduce((sum, tokens) => sum + tokens.length, 0);
  for (let token = from; token < counts.length; token++) {
    unit(vectors, token * width, width);
    for (let k = 0; k < width; k++) vectors[token * width + k] *= COMMON / (COMMON + counts[token] / all);
  }
}
