import { parseEntryId, type Entry } from '../../memory/entry.ts';
import { cueOf, UNNAMED_STRENGTH } from '../../memory/relation-cues/relation-cues.ts';
import type { Relation } from '../../memory/relation.ts';
import { comparedWith } from '../../memory/same-fact/likeness.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { rareTokens } from '../changes/rare-tokens.ts';
import { SharedNames } from './shared-names.ts';

/** Neighbours to compare, by vector and by words each. */
const NEIGHBOURS = 10;
/** Relations of one type that one entry gets at once. */
const MAX_OF_A_TYPE = 5;
/** A longer text is not a note about another entry: ids in it are probably a log. UTF-16 units. */
const READ_CHARS = 50_000;
const ID = /(?<![\w-])(?:mem_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi;

export type FoundRelation = Pick<Relation, 'sourceId' | 'targetId' | 'type' | 'strength'>;

/** Finds relations between an entry and existing ones. */
export class RelationFinder {
  readonly #store: Store;
  readonly #similarFrom: number;

  /** `similarFrom`: similarity of the words from which two entries are linked as `similar`; see `Likeness`. */
  constructor({ store, similarFrom }: { store: Store; similarFrom: number }) {
    this.#store = store;
    this.#similarFrom = similarFrom;
  }

  /**
   * Relations that follow from the texts of entries and of their neighbours in the namespace, at most five of a type for each entry. Those
   * between two texts go from the newer to the older. Many entries together cost less than one by one. `between` is awaited between two of
   * them.
   */
  async find(rows: readonly EntryRow[], between: () => Promise<void> = async () => {}): Promise<Map<string, FoundRelation[]>> {
    const names = await SharedNames.of(
      this.#store,
      rows.map(({ entry }) => entry),
    );
    const found = new Map<string, FoundRelation[]>();
    for (const row of rows) {
      await between();
      found.set(row.entry.id, this.#relationsOf(row.entry, await this.#neighbours(row), names));
    }
    return found;
  }

  #relationsOf(entry: Entry, neighbours: readonly Entry[], names: SharedNames): FoundRelation[] {
    const close = [...this.#similar(entry, neighbours), ...cues(entry, neighbours), ...this.#named(entry)];
    const isRelated = new Set(close.flatMap(({ sourceId, targetId }) => [sourceId, targetId]));
    const sharing = [...names.sharersOf(entry)]
      .filter(([id]) => !isRelated.has(id))
      .toSorted(([id, a], [other, b]) => b - a || this.#store.catalog.newer(id, other))
      .flatMap(([id, strength]) => {
        const other = this.#store.catalog.get(id);
        return other === undefined ? [] : [{ ...fromNewer(entry, other), type: 'references', strength: rounded(strength) } as const];
      });
    return atMost([...close, ...sharing]);
  }

  /** The nearest by vector and by words; by words alone if the vectors represent words and are in memory. */
  async #neighbours(row: EntryRow): Promise<Entry[]> {
    const ids = new Set(this.#alikeInMemory(row) ?? (await this.#alike(row)));
    ids.delete(row.entry.id);
    return await this.#store.entries.getMany([...ids]);
  }

  #alikeInMemory({ entry: { namespace }, vectors }: EntryRow): string[] | undefined {
    if (vectors === undefined || this.#store.spaces.current.kind !== 'lexical') return undefined;
    const limit = 2 * NEIGHBOURS + 1;
    return this.#store.neighbours({ vector: vectors.first, fingerprint: vectors.embedder, namespace, limit })?.map(({ id }) => id);
  }

  async #alike({ entry, searchText, vectors }: EntryRow): Promise<string[]> {
    const filter = { namespaces: [entry.namespace] };
    const limit = NEIGHBOURS + 1;
    const byVector =
      vectors === undefined ? [] : await this.#store.searchVectors({ vector: vectors.first, fingerprint: vectors.embedder, filter, limit });
    await this.#store.whenCounted();
    const tokens = rareTokens(searchText, this.#store.words);
    const byWord = tokens.length === 0 ? [] : await this.#store.searchKeywords({ tokens, filter, limit });
    return [...byVector, ...byWord.slice(0, limit)].map(({ id }) => id);
  }

  /**
   * Alike in nearly all words, whether or not they state the same fact: long texts that differ in a number belong together. A text that
   * negates the other does not.
   */
  #similar(entry: Entry, neighbours: readonly Entry[]): FoundRelation[] {
    const compare = comparedWith(entry.content, this.#similarFrom);
    return neighbours.flatMap((other) => {
      const likeness = compare(other.content);
      if (likeness === undefined || likeness.telling === 'negation') return [];
      return [{ ...fromNewer(entry, other), type: 'similar' as const, strength: likeness.similarity }];
    });
  }

  /** Entries whose ids occur in the text. */
  #named({ id, content }: Entry): FoundRelation[] {
    const ids = new Set([...content.slice(0, READ_CHARS).matchAll(ID)].flatMap(([text]) => parseEntryId(text) ?? []));
    ids.delete(id);
    return [...ids].flatMap((targetId) =>
      this.#store.catalog.get(targetId) === undefined ? [] : [{ sourceId: id, targetId, type: 'references' as const, strength: 1 }],
    );
  }
}

/**
 * What one of two texts explicitly says about the other. Another container is another subject. A correction that names only the new state
 * supersedes one entry, or none if several match.
 */
function cues(entry: Entry, neighbours: readonly Entry[]): FoundRelation[] {
  const found = neighbours.flatMap((other) => {
    if (other.container !== entry.container) return [];
    const [newer, older] = isNewer(entry, other) ? [entry, other] : [other, entry];
    const cue = cueOf(newer.content, older.content);
    return cue === undefined ? [] : [{ sourceId: newer.id, targetId: older.id, type: cue.type, strength: cue.strength }];
  });
  const superseded = found.filter(({ type, sourceId }) => type === 'supersedes' && sourceId === entry.id);
  return superseded.length < 2 ? found : found.filter((one) => !superseded.includes(one) || one.strength > UNNAMED_STRENGTH);
}

type Dated = Pick<Entry, 'id' | 'createdAt'>;

function fromNewer(one: Dated, other: Dated): { sourceId: string; targetId: string } {
  return isNewer(one, other) ? { sourceId: one.id, targetId: other.id } : { sourceId: other.id, targetId: one.id };
}

function isNewer(one: Dated, other: Dated): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}

/** The strongest relations of each type; of equally strong ones, the first. */
function atMost(found: readonly FoundRelation[]): FoundRelation[] {
  const counts = new Map<string, number>();
  return found
    .toSorted((a, b) => b.strength - a.strength)
    .filter(({ type }) => {
      const count = (counts.get(type) ?? 0) + 1;
      counts.set(type, count);
      return count <= MAX_OF_A_TYPE;
    });
}

/** Rounded to four digits. */
const rounded = (strength: number): number => Math.round(strength * 1e4) / 1e4;
