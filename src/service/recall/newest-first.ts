import { meaningOf } from '../../embeddings/word-meanings.ts';
import { dotProduct } from '../../memory/dot-product.ts';
import type { Entry } from '../../memory/entry.ts';
import { mayTellChange } from '../../memory/relation-cues/outdating.ts';
import { tellingTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tellingShare } from '../../memory/words/asking.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { Found } from './context-lines.ts';

const SHORTEST_SUBJECT = 4;
/** Cosine of the meanings of two entries that speak of one thing; 2 of 100 pairs of a project that do not are as near. */
const SAME_SUBJECT = 0.6;
/** Of two of which the newer speaks of a change. */
const NEAR_SUBJECT = 0.2;

/** Those to tell, each behind the newer ones of `all` that speak of the same: what is told alone must not be outdated. */
export function newestFirst(told: readonly Found[], all: readonly Found[]): Found[] {
  const subjects = new Map([...all, ...told].map(({ entry }) => [entry.id, new Subject(entry)]));
  const found = new Map<string, Found>();
  for (const each of told) {
    const own = subjects.get(each.entry.id)!;
    const newer = all.filter(({ entry }) => entry.createdAt > each.entry.createdAt && subjects.get(entry.id)!.mayReplace(own));
    for (const one of newer) if (!found.has(one.entry.id)) found.set(one.entry.id, one);
    const [first] = newer;
    found.set(each.entry.id, first === undefined ? each : { ...each, behind: first.entry.id });
  }
  return [...found.values()];
}

/** What an entry is about. */
class Subject {
  readonly #content: string;
  readonly #words: ReadonlySet<string>;
  readonly #meaning: Float32Array;
  readonly #tellsChange: boolean;

  constructor({ content }: Entry) {
    this.#content = content;
    this.#words = new Set(tellingTokens(content).filter(isSubject));
    this.#meaning = meaningOf(tokenize(content).join(' '));
    this.#tellsChange = mayTellChange(content);
  }

  /** Whether this, which is newer, may say what holds instead: they share a word and speak of the same thing; where this one speaks of a change, of something near it. */
  mayReplace(older: Subject): boolean {
    if (this.#content === older.#content || ![...this.#words].some((word) => older.#words.has(word))) return false;
    return dotProduct(this.#meaning, older.#meaning) > (this.#tellsChange ? NEAR_SUBJECT : SAME_SUBJECT);
  }
}

const isSubject = (token: string): boolean => token.length >= SHORTEST_SUBJECT && tellingShare(token) === 1 && !/^\p{N}/u.test(token);
