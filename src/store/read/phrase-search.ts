import { MatchQuery, Operator } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import type { EntryFilter } from '../../memory/entry.ts';
import { foldText } from '../../memory/words/same-text.ts';
import { isHidden, newestRows, type Memtable } from '../memtable/memtable.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { containsStream, isSameText, matching, passes, predicate } from '../format/predicates.ts';
import type { EntryReader } from './entry-reader.ts';
import { extraRowsFor, type Searchable } from './search.ts';

export interface PhraseSearch {
  /** The query as typed. */
  readonly text: string;
  /** Its tokens in order, joined by blanks. */
  readonly stream: string;
  /** The rarest tokens of the phrase, which every match contains. */
  readonly tokens: readonly string[];
  readonly filter: EntryFilter;
  /** Maximum per table, and for the memtable. */
  readonly limit: number;
}

/** Longer texts are not searched by a pattern, because their words are selective enough. */
const PATTERN_CHARS = 1000;
/** Number of entries whose texts in memory are searched; for more, a query of the tables costs the same. */
const MAX_SCANNED = 10_000;
/** White space by which a matching text may be longer, in addition to twice the length. */
const SPARE_CHARS = 64;

/**
 * Entries that may equal a text or contain it, unordered: all entries with its words if they are few. If they are many, scans the rows,
 * so that one among thousands with the same words is found.
 */
export async function searchPhrase({ view, memtables }: Searchable, search: PhraseSearch): Promise<string[]> {
  const limit = search.limit + extraRowsFor(memtables);
  const legs = view.partsFor(search.filter.namespaces).map((part) => ofTable(part, { ...search, limit }));
  const found = (await Promise.all(legs)).flat();
  return [...new Set([...found.filter((id) => !isHidden(memtables, id)), ...ofFreshRows(memtables, search)])];
}

/** Results from texts in memory, of entries in the tables and in the memtable. */
interface Memory {
  readonly catalog: Pick<Catalog, 'entries'>;
  readonly entries: Pick<EntryReader, 'keptSearchText' | 'keptContent'>;
}

/** Like `searchPhrase` without a query; undefined if there are too many entries, or a text is not in memory. */
export function phraseInMemory({ catalog, entries }: Memory, { text, stream, tokens, filter, limit }: PhraseSearch): string[] | undefined {
  const lists =
    filter.namespaces === undefined ? [catalog.entries()] : [...new Set(filter.namespaces)].map((each) => catalog.entries(each));
  if (lists.reduce((sum, { length }) => sum + length, 0) > MAX_SCANNED) return undefined;
  const isMatch = matching(filter);
  const holding: { readonly id: string; readonly searchText: string }[] = [];
  for (const list of lists) {
    for (const known of list) {
      const searchText = entries.keptSearchText(known.id);
      if (searchText === undefined) return undefined;
      if (holdsAll(searchText, tokens) && isMatch(known)) holding.push({ id: known.id, searchText });
    }
  }
  if (holding.length <= limit) return holding.map(({ id }) => id);
  const phrase = tokens.length < 2 ? [] : holding.filter(({ searchText }) => searchText.includes(stream)).slice(0, limit);
  const same: string[] = [];
  const folded = foldText(text);
  for (const { id } of text.length > PATTERN_CHARS ? [] : holding) {
    const content = entries.keptContent(id);
    if (content === undefined) return undefined;
    if (content.length <= 2 * text.length + SPARE_CHARS && foldText(content) === folded) same.push(id);
  }
  return [...new Set([...same.slice(0, limit), ...phrase.map(({ id }) => id)])];
}

/** Whether it contains each token: most texts lack the first, so this is fast. */
function holdsAll(searchText: string, tokens: readonly string[]): boolean {
  for (const token of tokens) if (!searchText.includes(token)) return false;
  const bordered = ` ${searchText} `;
  return tokens.every((token) => bordered.includes(` ${token} `));
}

async function ofTable(part: Snapshot, { text, stream, tokens, filter, limit }: PhraseSearch): Promise<string[]> {
  const where = predicate(filter);
  const match = new MatchQuery(tokens.join(' '), 'search_text', { operator: Operator.And });
  const query = part.table.query().fullTextSearch(match).select([part.key, '_score']);
  const holding = await idsOf(part, (where === undefined ? query : query.where(where)).limit(limit + 1));
  if (holding.length <= limit) return holding;
  const rows = (wanted: string): Promise<string[]> => {
    const condition = predicate(filter, [wanted])!;
    return idsOf(part, part.table.query().where(condition).select([part.key]).limit(limit));
  };
  const same = text.length > PATTERN_CHARS ? [] : [rows(isSameText(text))];
  const phrase = tokens.length < 2 ? [] : [rows(containsStream(stream))];
  return (await Promise.all([...same, ...phrase])).flat();
}

function ofFreshRows(memtables: readonly Memtable[], { text, stream, filter, limit }: PhraseSearch): string[] {
  const folded = foldText(text);
  const [same, holding]: [string[], string[]] = [[], []];
  for (const { entry, searchText } of newestRows(memtables)) {
    if (!passes(filter, entry)) continue;
    const isAsLong = entry.content.length < 2 * text.length + PATTERN_CHARS;
    if (isAsLong && foldText(entry.content) === folded) same.push(entry.id);
    else if (holding.length < limit && searchText.includes(stream)) holding.push(entry.id);
  }
  return [...same, ...holding];
}

async function idsOf(part: Snapshot, batches: AsyncIterable<RecordBatch>): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const batch of batches) for (const id of part.idsOf(batch)) if (id !== undefined) ids.push(id);
  } catch (error) {
    asStoreError('search for a phrase')(error);
  }
  return ids;
}
