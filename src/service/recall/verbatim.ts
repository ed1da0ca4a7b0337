import type { EntryFilter, SearchMode } from '../../memory/entry.ts';
import { foldText, containsPhrase, type Sameness } from '../../memory/words/same-text.ts';
import { isStopWord, tokenize } from '../../memory/words/tokens.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import type { Store } from '../../store/store.ts';
import { passes } from '../../store/format/predicates.ts';

/** Words used for the index lookup: the rarest are as selective as all of them. */
const ASKED = 4;
/** A longer text is not normalised for every search: its tokens tell whether it contains the phrase. */
const FOLDED_CHARS = 65_536;

/** Finds entries whose text equals the query or contains it as a phrase. */
export class Verbatim {
  readonly #store: Store;
  readonly #query: string;
  readonly #stream: string;
  readonly #hash: string;
  /** Distinct tokens of the query; an identifier has more of them with its capitals than in lower case. */
  readonly #tokens: readonly string[];

  constructor(store: Store, query: string) {
    this.#store = store;
    this.#query = query;
    this.#stream = tokenize(query).join(' ');
    this.#hash = contentHash(query);
    this.#tokens = [...new Set(tokenize(query.toLowerCase()))];
  }

  /** Entries with exactly this content; needs no index. */
  identical(filter: EntryFilter): string[] {
    const trimmed = this.#query.trim();
    const hashes = trimmed === this.#query ? [this.#hash] : [this.#hash, contentHash(trimmed)];
    return hashes.flatMap((hash) => this.#store.catalog.holding(hash).flatMap((known) => (passes(filter, known) ? [known.id] : [])));
  }

  /**
   * Entries that may equal or contain the phrase, however many others contain its words. None if a search by its words finds them all, or
   * if every entry with the rarest of its words was found already. `found`: id -> search text.
   */
  async find(
    { mode, filter, limit }: { mode: SearchMode; filter: EntryFilter; limit: number },
    found: ReadonlyMap<string, string>,
  ): Promise<string[]> {
    const { words } = this.#store;
    const rarity = new Map(this.#tokens.map((token) => [token, words.documentFrequency(token)]));
    if (this.#tokens.length === 0 || [...rarity.values()].includes(0)) return [];
    const telling = this.#tokens.filter((token) => !isStopWord(token));
    const holding = telling.reduce((sum, token) => sum + rarity.get(token)!, 0);
    if (mode !== 'vector' && telling.length > 0 && holding < limit) return [];
    const asked = (telling.length > 0 ? telling : this.#tokens).toSorted((a, b) => rarity.get(a)! - rarity.get(b)!).slice(0, ASKED);
    if (countHolding(found, asked[0]!) >= rarity.get(asked[0]!)!) return [];
    return await this.#store.searchPhrase({ text: this.#query, stream: this.#stream, tokens: asked, filter, limit });
  }

  /** How each entry contains the query; absent if it does not. `streams`: id -> search text. */
  async judge(streams: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Sameness>> {
    const found = new Map<string, Sameness>();
    const folded = foldText(this.#query);
    const candidates = [...streams].flatMap(([id, stream]) => (this.#holdsAll(stream) ? [id] : []));
    for (const [id, content] of await this.#store.entries.contents(candidates)) {
      if (this.#store.catalog.get(id)?.contentHash === this.#hash) found.set(id, 'identical');
      else if (content.length > FOLDED_CHARS) {
        if (this.#isPhrase && ` ${streams.get(id)} `.includes(` ${this.#stream} `)) found.set(id, 'phrase');
      } else {
        const text = foldText(content);
        if (text === folded) found.set(id, 'equal');
        else if (this.#isPhrase && containsPhrase(text, folded)) found.set(id, 'phrase');
      }
    }
    return found;
  }

  /** One word is no phrase: every entry with the word would contain it. */
  get #isPhrase(): boolean {
    return this.#tokens.length > 1;
  }

  #holdsAll(stream: string): boolean {
    const bordered = ` ${stream} `;
    return this.#tokens.every((token) => bordered.includes(` ${token} `));
  }
}

function countHolding(streams: ReadonlyMap<string, string>, token: string): number {
  let count = 0;
  for (const stream of streams.values()) if (stream.includes(token) && ` ${stream} `.includes(` ${token} `)) count += 1;
  return count;
}
