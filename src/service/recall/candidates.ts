import { isOfFile } from '../../memory/entry.ts';
import type { QueryWords } from '../../memory/words/query-words.ts';
import type { Store } from '../../store/store.ts';
import { featuresOf, type Candidate, type Features } from './ranking.ts';

/** The candidates of a search, with their word features. */
export class Candidates {
  readonly streams = new Map<string, string>();
  readonly features: Features[] = [];
  readonly #store: Store;
  readonly #words: QueryWords;
  readonly #codeWords: QueryWords;

  /** `codeWords`: for passages of files. */
  constructor(store: Store, words: QueryWords, code: QueryWords) {
    this.#store = store;
    this.#words = words;
    this.#codeWords = code;
  }

  /** Reads new candidates. */
  async look(ids: readonly string[]): Promise<void> {
    const unseen = [...new Set(ids)].filter((id) => !this.streams.has(id));
    const streams = await this.#store.entries.searchTexts(unseen);
    for (const [id, stream] of streams) this.streams.set(id, stream);
    const [passages, others]: [Candidate[], Candidate[]] = [[], []];
    for (const [id, stream] of streams) {
      const facts = this.#store.catalog.get(id);
      (facts !== undefined && isOfFile(facts) ? passages : others).push({ id, stream });
    }
    this.features.push(...featuresOf(this.#words, others), ...featuresOf(this.#codeWords, passages));
  }
}
