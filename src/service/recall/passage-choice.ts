import type { Embedder } from '../../embeddings/embedder.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import type { Passage } from '../../memory/words/passages.ts';
import type { QueryWords } from '../../memory/words/query-words.ts';
import { bestPassage, split, type PassageShape } from './best-passage.ts';

/** Passages embedded for one search, all results together: a model takes some ten milliseconds for each. */
const MAX_EMBEDDED = 16;

interface Asked {
  readonly query: string;
  readonly words: QueryWords;
  readonly signal: AbortSignal | undefined;
}

/** Says of each long result which of its passages answers. */
export class PassageChoice {
  readonly #embedder: () => Embedder;
  readonly #shape: PassageShape;

  constructor({ embedder, shape }: { embedder: () => Embedder; shape: PassageShape }) {
    this.#embedder = embedder;
    this.#shape = shape;
  }

  /**
   * By id, for the entries that are longer than one passage: the one with most of the query's words, or where an entry holds none of them,
   * the one whose vector is nearest. The latter for the first few results only, and not where the model does not answer.
   */
  async of(results: readonly { entry: Entry; matched: boolean }[], asked: Asked): Promise<ReadonlyMap<string, Passage>> {
    const chosen = new Map<string, Passage>();
    const unmatched: { id: string; passages: readonly Passage[] }[] = [];
    let left = MAX_EMBEDDED;
    for (const { entry, matched } of results) {
      if (entry.content.length <= this.#shape.chunkSize) continue;
      const passage = matched ? bestPassage(entry.content, asked.words, this.#shape) : undefined;
      if (passage !== undefined) chosen.set(entry.id, passage);
      else if (left > 0) {
        const passages = split(entry.content.slice(0, left * this.#shape.chunkSize).toWellFormed(), this.#shape).slice(0, left);
        left -= passages.length;
        unmatched.push({ id: entry.id, passages });
      }
    }
    if (unmatched.length > 0) for (const [id, passage] of await this.#nearest(unmatched, asked)) chosen.set(id, passage);
    return chosen;
  }

  async #nearest(
    entries: readonly { id: string; passages: readonly Passage[] }[],
    { query, signal }: Asked,
  ): Promise<Map<string, Passage>> {
    const options = signal === undefined ? {} : { signal };
    const embedder = this.#embedder();
    const nearest = new Map<string, Passage>();
    try {
      const own = await embedder.embedQuery(query, options);
      const passages = entries.flatMap((entry) => entry.passages.map((passage) => ({ id: entry.id, passage })));
      const vectors = await embedder.embedDocuments(
        passages.map(({ passage }) => passage.text),
        options,
      );
      const best = new Map<string, number>();
      for (const [at, { id, passage }] of passages.entries()) {
        const cosine = dotProduct(own, vectors[at]!);
        if (cosine <= (best.get(id) ?? -Infinity)) continue;
        best.set(id, cosine);
        nearest.set(id, passage);
      }
    } catch {
      // The results stand without it; the leg that found them has said what is wrong.
      signal?.throwIfAborted();
    }
    return nearest;
  }
}
