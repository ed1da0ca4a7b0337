// Two plain ways to find a place in files: BM25 over windows of 40 lines, and how many words of the question a file holds, as one would with ripgrep.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const LINES = 40;
const K1 = 1.2;
const B = 0.75;
const LIMIT = 10;
const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const STOP = new Set(
  'a an and are as at be by do does for from how in is it of on or that the to what when where which who why with was were'.split(' '),
);

/** { bm25, grep }: each takes a question and answers with files, best first; `bytes` is the size of all. */
export function createWindows(folder, files) {
  const texts = files.map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
  const windows = texts.flatMap(({ file, text }) => {
    const lines = text.split('\n');
    return Array.from({ length: Math.ceil(lines.length / LINES) }, (_, nth) => {
      const counts = new Map();
      const own = words(lines.slice(nth * LINES, (nth + 1) * LINES).join('\n'));
      for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { file, counts, length: own.length };
    });
  });
  const meanLength = windows.reduce((sum, { length }) => sum + length, 0) / windows.length;
  const holding = new Map();
  for (const { counts } of windows) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  const idf = (word) => Math.log(1 + (windows.length - (holding.get(word) ?? 0) + 0.5) / ((holding.get(word) ?? 0) + 0.5));
  const best = (scored) =>
    scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, LIMIT)
      .map(({ file }) => file);
  return {
    bytes: texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    bm25(query) {
      const asked = [...new Set(words(query))];
      return best(
        windows.map(({ file, counts, length }) => ({
          file,
          score: asked.reduce((sum, word) => {
            const count = counts.get(word) ?? 0;
            return sum + (idf(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / meanLength));
          }, 0),
        })),
      );
    },
    grep(query) {
      const asked = [...new Set(words(query))].filter((word) => !STOP.has(word));
      return best(texts.map(({ file, text }) => ({ file, score: asked.filter((word) => text.toLowerCase().includes(word)).length })));
    },
  };
}
