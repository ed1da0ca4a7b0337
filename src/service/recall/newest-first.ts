import { meaningOf } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import { mayStateChange } from '../../memory/relation-cues/outdating.ts';
import { contentTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { subjectWeight } from '../../memory/words/prompt-purpose.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import { isOfFile } from '../../memory/vocabulary.ts';

const SHORTEST_SUBJECT = 4;
/** Cosine from which two entries are on one subject; 2 of 100 unrelated pairs of a project are as near. */
const SAME_SUBJECT = 0.6;
/** The same if the newer one states a change. */
const NEAR_SUBJECT = 0.2;

/** A number and its unit; the hour of a time has the next two digits. */
const VALUE = /(?<![\p{L}\d.:])(\d+(?:[.,]\d+)*)\s?(:\d\d|[€$£%]|(?:\p{L}\p{M}*)+)/gu;
/** Letters of a unit that its other forms share: `month`, `months`. */
const UNIT_CHARS = 3;

interface HasEntry {
  readonly entry: Entry;
}
interface Newer {
  /** Ids of newer entries on the same subject. */
  readonly newer?: readonly string[];
}

/**
 * The items to show, each after the newer ones of `all` on the same subject, so that no outdated item appears alone. Passages of files
 * keep their place.
 */
export function newestFirst<F extends HasEntry>(told: readonly F[], all: readonly F[]): (F & Newer)[] {
  const entries = new Map([...all, ...told].map(({ entry }) => [entry.id, entry]));
  const memories = [...entries.values()].filter((entry) => !isOfFile(entry));
  const subjects = new Map(memories.map((entry) => [entry.id, new Subject(entry)]));
  const found = new Map<string, F & Newer>();
  for (const each of told) {
    const own = subjects.get(each.entry.id);
    const mayReplace = ({ entry }: F): boolean =>
      own !== undefined && entry.createdAt > each.entry.createdAt && subjects.get(entry.id)?.mayReplace(own) === true;
    const newer = all.filter(mayReplace);
    for (const one of newer) if (!found.has(one.entry.id)) found.set(one.entry.id, one);
    found.set(each.entry.id, newer.length === 0 ? each : { ...each, newer: newer.map(({ entry }) => entry.id) });
  }
  return [...found.values()];
}

/** The subject of an entry. Few entries share a word, so everything but the words is computed on demand. */
class Subject {
  readonly #content: string;
  readonly #words: ReadonlySet<string>;
  #vector: Float32Array | undefined;
  #change: boolean | undefined;
  #numbers: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor({ content }: Entry) {
    this.#content = content;
    this.#words = new Set(contentTokens(content).filter(isSubject));
  }

  /**
   * Whether this newer entry may replace the older one: they share a word and are on the same subject. If this one states a change or
   * another number, a related subject is enough.
   */
  mayReplace(older: Subject): boolean {
    if (this.#content === older.#content || ![...this.#words].some((word) => older.#words.has(word))) return false;
    const likeness = dotProduct(this.#meaning(), older.#meaning());
    return likeness > SAME_SUBJECT || (likeness > NEAR_SUBJECT && (this.#tellsChange() || this.#countsOtherwise(older)));
  }

  #meaning(): Float32Array {
    return (this.#vector ??= meaningOf(tokenize(this.#content).join(' ')));
  }

  #tellsChange(): boolean {
    return (this.#change ??= mayStateChange(this.#content));
  }

  #values(): ReadonlyMap<string, ReadonlySet<string>> {
    return (this.#numbers ??= valuesIn(this.#content));
  }

  /** Whether this has another number than the older one for the same unit. */
  #countsOtherwise(older: Subject): boolean {
    return [...this.#values()].some(([unit, numbers]) => {
      const before = older.#values().get(unit);
      return before !== undefined && [...numbers].some((number) => !before.has(number));
    });
  }
}

/** Numbers by the beginning of the unit after them, or of the sign before them. */
function valuesIn(text: string): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const [, number = '', unit = ''] of text.matchAll(VALUE)) {
    const key = unit.slice(0, UNIT_CHARS).toLowerCase();
    values.set(key, (values.get(key) ?? new Set()).add(number));
  }
  return values;
}

const isSubject = (token: string): boolean => token.length >= SHORTEST_SUBJECT && subjectWeight(token) === 1 && !/^\p{N}/u.test(token);
