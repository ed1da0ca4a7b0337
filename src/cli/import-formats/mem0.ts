import { dateOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { firstRecords, recordsOf } from './records.ts';

const STORE = 'mem0';
const LISTS = ['results', 'memories', 'items'] as const;
/** The fields of a memory in OpenMemory. */
const STATES = new Set(['active', 'paused', 'archived', 'deleted']);
/** Fields that are imported or mean nothing outside mem0. */
const FIELDS = new Set(
  (
    'id memory user_id agent_id app_id run_id actor_id role metadata categories created_at updated_at hash score ' +
    'content text state app app_name metadata_ category_ids archived_at deleted_at'
  ).split(' '),
);

/**
 * Memories as mem0 lists and exports them: `results` or `memories` with the text under `memory`. Or as OpenMemory does: the text under
 * `content` next to a `state`, in `memories.json`, in lines, or in the ZIP archive that its page downloads.
 */
export const mem0: Format = {
  name: STORE,
  unit: ['record', 'records'],
  recognise: (input) => {
    const records = firstRecords(input, LISTS);
    if (records.some((record) => typeof record['memory'] === 'string' && !('content' in record))) {
      return 'its entries have their text under "memory", as in mem0';
    }
    return records.some(isOpenMemory) ? 'its entries have a "state" and an app, as in OpenMemory' : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

function isOpenMemory(record: JsonRecord): boolean {
  const isOfApp = ['app', 'app_id', 'app_name'].some((field) => field in record);
  return contentOf(record) !== undefined && STATES.has(String(record['state'])) && isOfApp;
}

/** OpenMemory calls it `content`, and in changes `text`. */
function contentOf(record: JsonRecord): string | undefined {
  const fields = 'state' in record ? ['memory', 'content', 'text'] : ['memory'];
  return fields.map((field) => record[field]).find((text) => typeof text === 'string');
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  const tables = isRecord(input.first) ? input.first : {};
  const named = { apps: namesIn(tables['apps']), categories: namesIn(tables['categories']) };
  for await (const found of recordsOf(input, LISTS, options.findings, READ)) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const content = contentOf(found.record);
    const state = String(found.record['state']);
    if (state === 'deleted' || state === 'archived') options.findings.leaveOut(`memories that were ${state} there`);
    else if (content === undefined) yield { place: found.place, problem: 'memory is required' };
    else yield { place: found.place, entry: entryOf(content, withNames(found.record, named), options) };
  }
}

/** Lists in an export of OpenMemory with the names for ids of its memories, or with access rules. */
const READ = ['user', 'apps', 'categories', 'memory_categories', 'status_history', 'access_controls', 'export_meta'];

interface Names {
  readonly apps: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, string>;
}

function namesIn(list: unknown): ReadonlyMap<string, string> {
  const records = Array.isArray(list) ? list.filter(isRecord) : [];
  return new Map(
    records.flatMap(({ id, name }) => (textOf(id) === undefined || textOf(name) === undefined ? [] : [[String(id), String(name)]])),
  );
}

/** A record of OpenMemory with the names of its app and categories. The id of its user is one of the database, so it is left out. */
function withNames(record: JsonRecord, { apps, categories }: Names): JsonRecord {
  if (!('state' in record)) return record;
  const { user_id: _user, app_id: id, metadata_: metadata, ...rest } = record;
  const ids = textsOf(record['category_ids']).flatMap((category) => categories.get(category) ?? []);
  const app = textOf(record['app']) ?? textOf(record['app_name']) ?? apps.get(String(id));
  return {
    ...rest,
    metadata: record['metadata'] ?? metadata,
    categories: [...textsOf(record['categories']), ...ids, ...(record['state'] === 'paused' ? ['paused'] : [])],
    agent_id: app,
  };
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
    // Keeps the memories of different people apart, but in one tree.
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
