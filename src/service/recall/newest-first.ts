import { meaningOf } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import { mayTellChange } from '../../memory/relation-cues/outdating.ts';
import { tellingTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tellingShare } from '../../memory/words/asking.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import { isOfFile } from '../../memory/vocabulary.ts';

const SHORTEST_SUBJECT = 4;
/** Cosine of the meanings of two entries that speak of one thing; 2 of 100 pairs of a project that do not are as near. */
const SAME_SUBJECT = 0.6;
/** Of two of which the newer speaks of a change. */
const NEAR_SUBJECT = 0.2;

/** A number and its unit; the hour of a time has the next two digits. */
const VALUE = /(?<![\p{L}\d.:])(\d+(?:[.,]\d+)*)\s?(:\d\d|[€$£%]|(?:\p{L}\p{M}*)+)/gu;
/** Letters of a unit that its other forms have too: `month`, `months`. */
const UNIT_CHARS = 3;

interface Told {
  readonly entry: Entry;
}
interface Newer {
  /** Ids of newer entries that speak of the same. */
  readonly newer?: readonly string[];
}

/** Those to tell, each behind the newer ones of `all` that speak of the same: what is told alone must not be outdated. Passages of files stay where they are. */
export function newestFirst<F extends Told>(told: readonly F[], all: readonly F[]): (F & Newer)[] {
  const subjects = new Map([...all, ...told].map(({ entry }) => [entry.id, new Subject(entry)]));
  const found = new Map<string, F & Newer>();
  for (const each of told) {
    const own = subjects.get(each.entry.id)!;
    const newer = all.filter(({ entry }) => entry.createdAt > each.entry.createdAt && subjects.get(entry.id)!.mayReplace(own));
    for (const one of newer) if (!found.has(one.entry.id)) found.set(one.entry.id, one);
    found.set(each.entry.id, newer.length === 0 ? each : { ...each, newer: newer.map(({ entry }) => entry.id) });
  }
  return [...found.values()];
}

/** What an entry is about. */
class Subject {
  readonly #content: string;
  readonly #isOfFile: boolean;
  readonly #words: ReadonlySet<string>;
  readonly #meaning: Float32Array;
  readonly #tellsChange: boolean;
  readonly #values: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(entry: Entry) {
    const { content } = entry;
    this.#content = content;
    this.#isOfFile = isOfFile(entry);
    this.#words = new Set(tellingTokens(content).filter(isSubject));
    this.#meaning = meaningOf(tokenize(content).join(' '));
    this.#tellsChange = mayTellChange(content);
    this.#values = valuesIn(content);
  }

  /**
   * Whether this, which is newer, may say what holds instead: they share a word and speak of the same thing; where this one speaks of a change or counts
   * otherwise, of something near it.
   */
  mayReplace(older: Subject): boolean {
    if (this.#isOfFile || older.#isOfFile || this.#content === older.#content || ![...this.#words].some((word) => older.#words.has(word)))
      return false;
    return dotProduct(this.#meaning, older.#meaning) > (this.#tellsChange || this.#countsOtherwise(older) ? NEAR_SUBJECT : SAME_SUBJECT);
  }

  /** Whether this gives a number of a unit of which the older one gives others. */
  #countsOtherwise(older: Subject): boolean {
    return [...this.#values].some(([unit, numbers]) => {
      const before = older.#values.get(unit);
      return before !== undefined && [...numbers].some((number) => !before.has(number));
    });
  }
}

/** Numbers by the beginning of the unit behind them, or of the sign. */
function valuesIn(text: string): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const [, number, unit] of text.matchAll(VALUE)) {
    const key = unit!.slice(0, UNIT_CHARS).toLowerCase();
    values.set(key, (values.get(key) ?? new Set()).add(number!));
  }
  return values;
}

const isSubject = (token: string): boolean => token.length >= SHORTEST_SUBJECT && tellingShare(token) === 1 && !/^\p{N}/u.test(token);
