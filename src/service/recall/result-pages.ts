import { MAX_PAGED_RESULTS, type ScoredEntry } from '../../memory/entry.ts';
import type { PageCounts } from '../../memory/operations/result-pages.ts';
import { matching } from '../../store/format/predicates.ts';
import type { Store } from '../../store/store.ts';
import type { RankedResults, Recall, RecallQuery } from './recall.ts';
import { idsWithWords } from '../word-matches.ts';

/** A page of results. */
interface Page extends PageCounts {
  readonly results: readonly ScoredEntry[];
}

/** A ranking, and how many entries contain a word of its query. */
interface Counted extends RankedResults {
  readonly matches: number;
}

/** The pages of a request, and which one: `offset` results come before it. */
interface Asked {
  readonly wanted: RecallQuery;
  readonly offset: number;
  /** Further results, best first, inserted by score. */
  readonly archived: readonly ScoredEntry[];
}

/**
 * Returns the results of a search page by page. All pages come from one ranking, which goes deeper than without pages, so that they do not
 * overlap. The last ranking is cached until an entry changes: the next page costs little more than reading it.
 */
export class ResultPages {
  readonly #store: Store;
  readonly #recall: Pick<Recall, 'arrange' | 'read' | 'state'>;
  #last: { readonly key: string; readonly arranged: Promise<Counted> } | undefined;

  constructor(store: Store, recall: Pick<Recall, 'arrange' | 'read' | 'state'>) {
    this.#store = store;
    this.#recall = recall;
  }

  async page({ wanted, offset, archived }: Asked): Promise<Page> {
    const arranged = await this.#arranged(wanted);
    const { chosen, matches } = arranged;
    const places = [...chosen, ...archived].toSorted((a, b) => b.score - a.score).slice(0, MAX_PAGED_RESULTS);
    const shown = new Set(places.slice(offset, offset + wanted.limit));
    const live = await this.#recall.read(
      chosen.filter((hit) => shown.has(hit)),
      arranged,
      wanted,
    );
    const results = [...live, ...archived.filter((hit) => shown.has(hit))].toSorted((a, b) => b.score - a.score);
    return { results, total: places.length, ...(wanted.mode === 'vector' ? {} : { matches }) };
  }

  async #matches({ query, filter }: RecallQuery): Promise<number> {
    const { catalog } = this.#store;
    const isMatch = matching(filter);
    let matches = 0;
    for (const id of await idsWithWords(this.#store, query, filter.namespaces)) {
      const known = catalog.get(id);
      if (known !== undefined && isMatch(known)) matches += 1;
    }
    return matches;
  }

  async #arranged(wanted: RecallQuery): Promise<Counted> {
    // Shared by later pages, so it does not end with the request that started it.
    const { signal: _, ...question } = wanted;
    const key = JSON.stringify([this.#recall.state, question]);
    if (this.#last?.key !== key) this.#last = { key, arranged: this.#rank({ ...question, depth: MAX_PAGED_RESULTS }) };
    const { arranged } = this.#last;
    return await arranged.catch((error: unknown) => {
      if (this.#last?.arranged === arranged) this.#last = undefined;
      throw error;
    });
  }

  async #rank(wanted: RecallQuery): Promise<Counted> {
    const counted = wanted.mode === 'vector' ? 0 : this.#matches(wanted);
    const [arranged, matches] = await Promise.all([this.#recall.arrange(wanted), counted]);
    let least = 1;
    // As in a search without pages, scores never rise down the list.
    const chosen = arranged.chosen.map((hit) => ({ ...hit, score: (least = Math.min(least, hit.score)) }));
    return { ...arranged, chosen, matches };
  }
}
