// What a ranking is worth, after graded relevance: a map of memory -> grade, where 3 is the answer, 2 answers too or in part, 1 helps.

/** The memories that count as an answer: of grade 2 and more, or of the highest grade there is where none has that much. */
export function answersOf(relevant) {
  const highest = Math.max(0, ...Object.values(relevant));
  const least = Math.min(2, highest);
  return Object.keys(relevant).filter((id) => relevant[id] >= least && relevant[id] > 0);
}

/** Share 0..1 of the answers that are among the first `k`. */
export function recallAt(ranked, relevant, k) {
  const answers = answersOf(relevant);
  const first = new Set(ranked.slice(0, k));
  return answers.filter((id) => first.has(id)).length / answers.length;
}

/** 1 where every answer is among the first `k`, else 0. */
export const allAt = (ranked, relevant, k) => (recallAt(ranked, relevant, k) === 1 ? 1 : 0);

/** 1 / place of the first answer; 0 where there is none. */
export function reciprocalRank(ranked, relevant) {
  const answers = new Set(answersOf(relevant));
  const at = ranked.findIndex((id) => answers.has(id));
  return at === -1 ? 0 : 1 / (at + 1);
}

const gain = (grade) => 2 ** grade - 1;
const discounted = (grades) => grades.reduce((sum, grade, nth) => sum + gain(grade) / Math.log2(nth + 2), 0);

/** Discounted gain of the first `k` (gain 2^grade - 1, divided by log2(place + 1)) over that of the best order there is. */
export function ndcgAt(ranked, relevant, k) {
  const got = ranked.slice(0, k).map((id) => relevant[id] ?? 0);
  const ideal = Object.values(relevant)
    .toSorted((a, b) => b - a)
    .slice(0, k);
  return discounted(got) / discounted(ideal);
}

/** Whether a memory that was corrected since stands above every answer. */
export function supersededFirst(ranked, relevant, superseded) {
  const [answers, old] = [new Set(answersOf(relevant)), new Set(superseded)];
  const first = ranked.find((id) => answers.has(id) || old.has(id));
  return first !== undefined && old.has(first);
}

/** Probability that one of `positives` is larger than one of `negatives`, ties counted half; NaN where either is empty. */
export function areaUnderCurve(positives, negatives) {
  let wins = 0;
  for (const high of positives) for (const low of negatives) wins += high > low ? 1 : high === low ? 0.5 : 0;
  return wins / (positives.length * negatives.length);
}

/** The value below which `share` of the values lie, the nearest one that is there; NaN where there are none. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** NaN where there are none. */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every metric of one ranking. */
export function measure(ranked, { relevant, superseded = [] }) {
  return {
    'recall@1': recallAt(ranked, relevant, 1),
    'recall@3': recallAt(ranked, relevant, 3),
    'recall@5': recallAt(ranked, relevant, 5),
    'recall@10': recallAt(ranked, relevant, 10),
    'all@5': allAt(ranked, relevant, 5),
    MRR: reciprocalRank(ranked, relevant),
    'nDCG@10': ndcgAt(ranked, relevant, 10),
    supersededFirst: supersededFirst(ranked, relevant, superseded) ? 1 : 0,
  };
}

export const METRICS = ['recall@1', 'recall@3', 'recall@5', 'recall@10', 'all@5', 'MRR', 'nDCG@10'];

/** The mean of each metric over some measurements. */
export function means(measurements) {
  return Object.fromEntries(METRICS.map((name) => [name, mean(measurements.map((measurement) => measurement[name]))]));
}
