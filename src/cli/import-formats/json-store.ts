import { isRecord } from '../../sources/readers/json-record.ts';
import { entryLines } from './entry-lines.ts';
import type { Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { listIn, recordsOf } from './records.ts';

const LISTS = ['entries', 'memories', 'results'] as const;

/**
 * One JSON document with a list of entries in any form that an import line may have, such as the store file of a JSON-backed memory server
 * (`id`, `content`, `metadata`, `embedding`, `contentHash`) or the response of a list or a search.
 */
export const jsonStore: Format = {
  name: 'json',
  unit: ['record', 'records'],
  recognise: ({ shape, first }) => {
    const found = shape === 'document' ? listIn(first, LISTS) : undefined;
    if (found === undefined) return undefined;
    return found.key === '' ? 'it is a JSON array' : `it is a JSON document with "${found.key}"`;
  },
  read: (input, options) => entryLines(entriesOf(input, options)),
};

async function* entriesOf(input: Input, { findings }: ReadOptions): AsyncGenerator<Item> {
  for await (const found of recordsOf(input, LISTS, findings)) {
    if ('problem' in found) yield found;
    else yield { place: found.place, entry: withoutScore(found.record) };
  }
}

/** A search result has its entry next to its score. */
function withoutScore(record: Readonly<Record<string, unknown>>): unknown {
  return !('content' in record) && isRecord(record['entry']) ? record['entry'] : record;
}
