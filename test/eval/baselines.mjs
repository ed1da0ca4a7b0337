// Two plain ways to find a text, for comparison. Both see what Lore sees: content and tags, and only the namespace that a query names.

const K1 = 1.2;
const B = 0.75;
const LIMIT = 10;

const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const textOf = ({ content, tags = [] }) => [content, ...tags].join(' ');
const newestFirst = (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt);

/** The best ten of the memories with a score above 0, newest first among equals: [{ id, score }]. */
function best(memories, { namespace }, scoreOf) {
  return memories
    .map((memory, nth) => ({ memory, nth }))
    .filter(({ memory }) => namespace === undefined || memory.namespace === namespace)
    .map(({ memory, nth }) => ({ memory, score: scoreOf(nth) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || newestFirst(a.memory, b.memory))
    .slice(0, LIMIT)
    .map(({ memory: { id }, score }) => ({ id, score }));
}

/** BM25 (Robertson and others, 1994; idf as in Lucene) over whitespace words in lower case, nothing else. */
export function createBm25(memories) {
  const counts = memories.map((memory) => {
    const count = new Map();
    for (const word of words(textOf(memory))) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const lengths = memories.map((memory) => words(textOf(memory)).length);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const idf = (word) => {
    const holding = counts.filter((count) => count.has(word)).length;
    return Math.log(1 + (memories.length - holding + 0.5) / (holding + 0.5));
  };
  return (query) => {
    const asked = [...new Set(words(query.query))].map((word) => [word, idf(word)]);
    return best(memories, query, (nth) =>
      asked.reduce((sum, [word, weight]) => {
        const times = counts[nth].get(word) ?? 0;
        return sum + (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * lengths[nth]) / meanLength));
      }, 0),
    );
  };
}

/** How many of the query's words occur anywhere in the text, upper and lower case alike. */
export function createGrep(memories) {
  const texts = memories.map((memory) => textOf(memory).toLowerCase());
  return (query) => {
    const asked = [...new Set(words(query.query))];
    return best(memories, query, (nth) => asked.filter((word) => texts[nth].includes(word)).length);
  };
}
