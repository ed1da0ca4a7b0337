/** Comparing answers: what they tell, without what differs from one request to the next. */
import type { Names, World } from './two-namespaces.ts';

/** Which of these words an answer tells, whatever their case. */
export function told(text: string, words: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(word.toLowerCase()));
}

/** Figures of the moment; how common words are in the whole store shows in the ones below 1 (docs/security.md). */
const FIGURES =
  /"(rank|uptime|uptimeMs|rss|lastHour|averageLatency|requests|latency|heapUsed|timestamp|recalls)":("[^"]*"|\{[^}]*\}|[\d.]+)/g;
const SCORES = /"(score|rankValue|cosine|vector|bm25|coverage|proximity|early|negation|recency|idf)":-?[\d.e-]+/g;
const FRACTIONS = /-?\b\d+\.\d+(e-?\d+)?/g;

/** Status and body with a mark in the place of every name that a request may have given, of ids, of times and of figures. */
export function shapeOf({ status, text }: { readonly status: number; readonly text: string }, { real, ghost }: World): string {
  // A tool of MCP answers with JSON within JSON.
  let shape = text.replaceAll('\\"', '"');
  for (const [name, value] of byLength(real, ghost))
    shape = shape.replaceAll(value, `<${name}>`).replaceAll(encodeURIComponent(value), `<${name}>`);
  const plain = shape
    // The stem of a word, as an explanation names it.
    .replaceAll(/\b(?:real|ghst)quagmir\b/g, '<word>')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/<(id|otherId|archivedId|movedId|run)>/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>')
    .replaceAll(/\b[\da-z]{8}\.[\w-]{43}/g, '<token>')
    .replaceAll(/\b[\da-f]{64}\b/g, '<hash>')
    // Of an explanation: the hash of any word is a little like that of some others.
    .replaceAll(/"returned":(true|false)/g, '"returned":0')
    .replaceAll(/"reason":"(Its score|It is number|Others that)[^"]*"/g, '"reason":0')
    // Tags that were merged are embedded right after the answer.
    .replaceAll('"vector":"pending"', '"vector":"stored"')
    .replaceAll(FIGURES, '"$1":0')
    .replaceAll(SCORES, '"$1":0')
    .replaceAll(FRACTIONS, '<figure>')
    .replaceAll(/\b\d{13}\b/g, '<ms>');
  return `${status} ${plain}`;
}

/** Longer ones first: some are part of others. */
function byLength(...all: readonly Names[]): [string, string][] {
  return all.flatMap((names) => Object.entries(names) as [string, string][]).toSorted(([, a], [, b]) => b.length - a.length);
}
