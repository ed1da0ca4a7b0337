import { dateOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Format, Item, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { firstRecords, recordsOf } from './records.ts';

const STORE = 'mem0';
const LISTS = ['results', 'memories'] as const;
/** Fields that are taken over or say nothing outside mem0. */
const FIELDS = new Set(
  'id memory user_id agent_id app_id run_id actor_id role metadata categories created_at updated_at hash score'.split(' '),
);

/** Memories as mem0 lists and exports them: `results` or `memories` with the text under `memory`. */
export const mem0: Format = {
  name: STORE,
  unit: ['record', 'records'],
  recognise: (input) =>
    firstRecords(input, LISTS).some((record) => typeof record['memory'] === 'string' && !('content' in record))
      ? 'its entries have their text under "memory", as those of mem0 do'
      : undefined,
  read: (input, options) => entryLines(itemsOf(input, options)),
};

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  for await (const found of recordsOf(input, LISTS, options.findings)) {
    if ('problem' in found) yield found;
    else if (typeof found.record['memory'] !== 'string') yield { place: found.place, problem: 'memory is required' };
    else yield { place: found.place, entry: entryOf(found.record['memory'], found.record, options) };
  }
}

function entryOf(content: string, record: JsonRecord, { namespace, findings }: ReadOptions): EntryLine {
  findings.count('memories');
  for (const field of Object.keys(record)) if (!FIELDS.has(field) && record[field] !== null) findings.leaveOut('fields', field);
  const metadata = isRecord(record['metadata']) ? record['metadata'] : {};
  const project = textOf(metadata['project']) ?? textOf(record['app_id']);
  return {
    id: textOf(record['id']),
    content,
    namespace: namespace === undefined ? project : undefined,
    // Memories of different people stay apart, and are still found together.
    container: textOf(record['user_id']),
    tags: tagsOf([...textsOf(record['categories']), ...textsOf(metadata['tags'])], findings),
    createdAt: dateOf(record['created_at'], findings),
    updatedAt: dateOf(record['updated_at'], findings),
    sourceRef: referenceOf({
      store: STORE,
      user: record['user_id'],
      agent: record['agent_id'],
      app: record['app_id'],
      run: record['run_id'],
      actor: record['actor_id'],
      role: record['role'],
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    }),
  };
}
