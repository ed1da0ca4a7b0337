import type { WordStatistics } from '../memory/word-statistics.ts';

const BUCKETS = 2 ** 18;

/**
 * In how many rows each token of the search text occurs (there each stands once), as a fixed table of 1 MB: tokens that share a bucket add
 * up, which makes a rare word look slightly more common and never the other way round.
 */
export class WordCounts implements WordStatistics {
  readonly #buckets = new Uint32Array(BUCKETS);
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  documentFrequency(token: string): number {
    return this.#buckets[bucketOf(token)] ?? 0;
  }

  add(searchText: string): void {
    this.#count(searchText, 1);
  }

  remove(searchText: string): void {
    this.#count(searchText, -1);
  }

  /** One pass over the text without cutting it up: a store of 100,000 rows is counted at every start. */
  #count(searchText: string, step: 1 | -1): void {
    this.#rows += step;
    let hash = SEED;
    for (let index = 0; index < searchText.length; index += 1) {
      const unit = searchText.charCodeAt(index);
      if (unit !== BLANK) hash = mix(hash, unit);
      else {
        this.#buckets[bucket(hash)]! += step;
        hash = SEED;
      }
    }
    if (searchText !== '') this.#buckets[bucket(hash)]! += step;
  }
}

const BLANK = 0x20;

// FNV-1a over UTF-16 units (Fowler, Noll, Vo), folded to the width of the table.
const SEED = 0x811c9dc5;
const mix = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const bucket = (hash: number): number => (hash ^ (hash >>> 15)) & (BUCKETS - 1);

function bucketOf(token: string): number {
  let hash = SEED;
  for (let index = 0; index < token.length; index += 1) hash = mix(hash, token.charCodeAt(index));
  return bucket(hash);
}
