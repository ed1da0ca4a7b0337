import { MatchQuery, Operator } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import type { EntryFilter } from '../../memory/entry.ts';
import { foldText } from '../../memory/words/same-text.ts';
import { isHidden, newestRows, type FreshRows } from '../memtable/memtable.ts';
import { asStoreError } from '../errors/store-error.ts';
import type { Snapshot } from '../tables/snapshot.ts';
import { holdsStream, isSameText, passes, predicate } from '../format/predicates.ts';
import { spareFor, type Sources } from './search.ts';

export interface PhraseSearch {
  /** What was asked for, as it was typed. */
  readonly text: string;
  /** Its tokens in order, joined by blanks. */
  readonly stream: string;
  /** Some of them, which every entry with the phrase holds: the rarest. */
  readonly tokens: readonly string[];
  readonly filter: EntryFilter;
  /** Of each table, and of the fresh rows. */
  readonly limit: number;
}

/** Longer texts are not looked for by a pattern: their words tell them apart. */
const PATTERN_CHARS = 1000;

/**
 * Entries that may be the same as a text or hold it as a whole, in no order: all that hold its words where these are few. Where they are
 * many, the rows themselves are looked through, so that one among thousands with the same words is among those found.
 */
export async function searchPhrase({ view, generations }: Sources, search: PhraseSearch): Promise<string[]> {
  const limit = search.limit + spareFor(generations);
  const legs = view.partsFor(search.filter.namespaces).map((part) => ofTable(part, { ...search, limit }));
  const found = (await Promise.all(legs)).flat();
  return [...new Set([...found.filter((id) => !isHidden(generations, id)), ...ofFreshRows(generations, search)])];
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
  const phrase = tokens.length < 2 ? [] : [rows(holdsStream(stream))];
  return (await Promise.all([...same, ...phrase])).flat();
}

function ofFreshRows(generations: readonly FreshRows[], { text, stream, filter, limit }: PhraseSearch): string[] {
  const folded = foldText(text);
  const [same, holding]: [string[], string[]] = [[], []];
  for (const { entry, searchText } of newestRows(generations)) {
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
