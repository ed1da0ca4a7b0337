export type Relevant = Readonly<Record<string, number>>;
export type Metric = 'recall@1' | 'recall@3' | 'recall@5' | 'recall@10' | 'all@5' | 'MRR' | 'nDCG@10';
export type Measurement = Record<Metric | 'supersededFirst', number>;

export const METRICS: readonly Metric[];
export function answersOf(relevant: Relevant): string[];
export function recallAt(ranked: readonly string[], relevant: Relevant, k: number): number;
export function allAt(ranked: readonly string[], relevant: Relevant, k: number): number;
export function reciprocalRank(ranked: readonly string[], relevant: Relevant): number;
export function ndcgAt(ranked: readonly string[], relevant: Relevant, k: number): number;
export function supersededFirst(ranked: readonly string[], relevant: Relevant, superseded: readonly string[]): boolean;
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number;
export function quantile(values: readonly number[], share: number): number;
export function mean(values: readonly number[]): number;
export function measure(ranked: readonly string[], query: { relevant: Relevant; superseded?: readonly string[] }): Measurement;
export function means(measurements: readonly Record<Metric, number>[]): Record<Metric, number>;
