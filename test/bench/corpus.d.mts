export function random(seed: number): () => number;

export interface CorpusEntry {
  readonly content: string;
  readonly namespace: string;
  readonly tags: readonly string[];
}
export function entries(count: number, seed?: number): Generator<CorpusEntry>;
export function questions(
  known: readonly CorpusEntry[],
  count: number,
  seed?: number,
): { readonly query: string; readonly namespace: string; readonly content: string }[];
