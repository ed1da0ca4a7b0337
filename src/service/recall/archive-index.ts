import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { idf } from '../../memory/words/query-words.ts';
import { isStopWord } from '../../memory/words/tokens.ts';
import type { Vocabulary } from '../../memory/words/word-statistics.ts';
import { ENTRY_COLUMNS } from '../../store/format/field-columns.ts';
import { passes, type Filterable } from '../../store/format/predicates.ts';
import type { EntryFilter } from '../../memory/entry.ts';

/** The fields of an archived entry that filters use. */
type Slot = Filterable & { readonly id: string; readonly stamp: string; readonly tokens: readonly string[] };

/** Slots of removed entries that may accumulate before a rebuild. */
const SPARE_SLOTS = 1000;

/** In-memory word index of archived entries. */
export class ArchiveIndex implements Pick<Vocabulary, 'rows' | 'averageLength' | 'documentFrequency'> {
  /** Undefined for an entry that was removed. */
  #slots: (Slot | undefined)[] = [];
  #places = new Map<string, number>();
  #postings = new Map<string, number[]>();
  /** Number of postings of removed entries, by word. */
  #gone = new Map<string, number>();
  #tokens = 0;

  get rows(): number {
    return this.#places.size;
  }

  get averageLength(): number {
    return this.rows === 0 ? 0 : this.#tokens / this.rows;
  }

  documentFrequency(token: string): number {
    return (this.#postings.get(token)?.length ?? 0) - (this.#gone.get(token) ?? 0);
  }

  ids(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** Version of the indexed entry; undefined if it is not indexed. */
  stampOf(id: string): string | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#slots[place]?.stamp;
  }

  /** `stream`: its search text. */
  add({ entry }: ArchivedEntry, { stream, stamp }: { readonly stream: string; readonly stamp: string }): void {
    this.remove(entry.id);
    const { id, namespace, container, tags, priority, source, importance, createdAt, superseded } = entry;
    const tokens = [...new Set(stream.split(' '))].filter((token) => token !== '' && !isStopWord(token));
    const facts = { namespace, container, tags, priority, source, importance, createdAt, superseded, ...ENTRY_COLUMNS.optional(entry) };
    const place = this.#slots.push({ id, stamp, tokens, ...facts }) - 1;
    this.#places.set(id, place);
    this.#tokens += tokens.length;
    for (const token of tokens) {
      const holding = this.#postings.get(token);
      if (holding === undefined) this.#postings.set(token, [place]);
      else holding.push(place);
    }
  }

  remove(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const { tokens } = this.#slots[place]!;
    for (const token of tokens) this.#gone.set(token, (this.#gone.get(token) ?? 0) + 1);
    this.#tokens -= tokens.length;
    this.#places.delete(id);
    this.#slots[place] = undefined;
  }

  /** Whether it should be rebuilt because of many removals. */
  get isWorn(): boolean {
    return this.#slots.length > 2 * this.rows + SPARE_SLOTS;
  }

  /** Ids of at most `limit` matching entries with the rarest of these words. */
  candidates(tokens: readonly string[], filter: EntryFilter, limit: number): string[] {
    const weights = new Map<number, number>();
    for (const token of new Set(tokens)) {
      const holding = this.#postings.get(token) ?? [];
      const weight = idf(this.documentFrequency(token), this.rows);
      for (const place of holding) weights.set(place, (weights.get(place) ?? 0) + weight);
    }
    const found = [...weights].flatMap(([place, weight]) => {
      const slot = this.#slots[place];
      return slot !== undefined && passes(filter, slot) ? [{ id: slot.id, createdAt: slot.createdAt, weight }] : [];
    });
    return found
      .toSorted((a, b) => b.weight - a.weight || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .slice(0, limit)
      .map(({ id }) => id);
  }
}
