import { MAX_FOUND, type ScoredEntry } from '../../memory/entry.ts';
import type { PageCounts } from '../../memory/operations/result-pages.ts';
import type { Arranged, Recall, Wanted } from './recall.ts';

/** A page of results. */
interface Page extends PageCounts {
  readonly results: readonly ScoredEntry[];
}

/** The pages of a request, and which one: `offset` results come before it. */
interface Asked {
  readonly wanted: Wanted;
  readonly offset: number;
  /** Further results, best first, inserted by score. */
  readonly archived: readonly ScoredEntry[];
}

/**
 * Returns the results of a search page by page. All pages come from one ranking, deeper than that of a search without pages, so that they
 * do not overlap. The last ranking is cached until an entry changes: the next page costs little more than reading it.
 */
export class ResultPages {
  readonly #recall: Pick<Recall, 'arrange' | 'read' | 'state'>;
  #last: { readonly key: string; readonly arranged: Promise<Arranged> } | undefined;

  constructor(recall: Pick<Recall, 'arrange' | 'read' | 'state'>) {
    this.#recall = recall;
  }

  async page({ wanted, offset, archived }: Asked): Promise<Page> {
    const arranged = await this.#arranged(wanted);
    const { chosen } = arranged;
    const places = [...chosen, ...archived].toSorted((a, b) => b.score - a.score).slice(0, MAX_FOUND);
    const shown = new Set(places.slice(offset, offset + wanted.limit));
    const live = await this.#recall.read(
      chosen.filter((hit) => shown.has(hit)),
      arranged,
      wanted,
    );
    const results = [...live, ...archived.filter((hit) => shown.has(hit))].toSorted((a, b) => b.score - a.score);
    const matches = chosen.filter(({ features, sameness }) => features.coverage > 0 || sameness !== undefined).length;
    return { results, total: places.length, ...(wanted.mode === 'vector' ? {} : { matches }) };
  }

  async #arranged(wanted: Wanted): Promise<Arranged> {
    // Shared by later pages, so it does not end with the request that started it.
    const { signal: _, ...question } = wanted;
    const key = JSON.stringify([this.#recall.state, question]);
    if (this.#last?.key !== key) this.#last = { key, arranged: this.#rank({ ...question, depth: MAX_FOUND }) };
    const { arranged } = this.#last;
    return await arranged.catch((error: unknown) => {
      if (this.#last?.arranged === arranged) this.#last = undefined;
      throw error;
    });
  }

  async #rank(wanted: Wanted): Promise<Arranged> {
    const arranged = await this.#recall.arrange(wanted);
    let least = 1;
    // As in a search without pages, scores never rise down the list.
    const chosen = arranged.chosen.map((hit) => ({ ...hit, score: (least = Math.min(least, hit.score)) }));
    return { ...arranged, chosen };
  }
}
