import { dateOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { jsonValue } from '../../sources/readers/json-text.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { firstRecords, recordsOf } from './records.ts';

const STORE = 'mcp-memory-service';
const LISTS = ['memories', 'results'] as const;
const FIELDS = new Set(
  (
    'content content_hash hash tags created_at created_at_iso updated_at updated_at_iso memory_type type metadata store source source_machine ' +
    'export_source embedding id memory similarity_score'
  ).split(' '),
);

/** Exports of mcp-memory-service (doobidoo): `memories` with `content`, `content_hash` and `memory_type`. */
export const mcpMemoryService: Format = {
  name: STORE,
  unit: ['record', 'records'],
  recognise: (input) => {
    if (isRecord(input.first) && isRecord(input.first['export_metadata']) && Array.isArray(input.first['memories'])) {
      return 'it is a JSON document with "export_metadata" and "memories"';
    }
    // Its integrity check uses shorter names.
    const isRescued = (record: JsonRecord) => 'hash' in record && 'type' in record && typeof record['tags'] === 'string';
    const isTelling = (record: JsonRecord) =>
      'content' in record && ('content_hash' in record || 'memory_type' in record || isRescued(record));
    return firstRecords(input, ['memories']).map(inner).some(isTelling)
      ? 'its entries have a "content_hash" or a "memory_type", as in mcp-memory-service'
      : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

/** A result of a search or a list has its memory next to a score. */
function inner(record: JsonRecord): JsonRecord {
  return !('content' in record) && isRecord(record['memory']) ? record['memory'] : record;
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  const exported = isRecord(input.first) && isRecord(input.first['export_metadata']) ? input.first['export_metadata'] : {};
  for await (const found of recordsOf(input, LISTS, options.findings, ['export_metadata'])) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const record = inner(found.record);
    const content = textOf(record['content']);
    if (content === undefined) yield { place: found.place, problem: 'content is required' };
    else yield { place: found.place, entry: entryOf(content, record, { ...options, machine: textOf(exported['source_machine']) }) };
  }
}

function entryOf(content: string, record: JsonRecord, { findings, machine }: ReadOptions & { machine: string | undefined }): EntryLine {
  findings.count('memories');
  for (const [field, value] of Object.entries(record)) if (!FIELDS.has(field) && value !== null) findings.leaveOut('fields', field);
  const given = typeof record['metadata'] === 'string' ? jsonValue(record['metadata']) : record['metadata'];
  const metadata = isRecord(given) ? given : {};
  const type = textOf(record['memory_type']) ?? textOf(record['type']) ?? textOf(metadata['type']);
  const from = ['source', 'source_machine', 'export_source'].map((field) => textOf(record[field]) ?? textOf(metadata[field]));
  const sources = [...from, machine].flatMap((name) => (name === undefined ? [] : [`source:${name}`]));
  const store = textOf(record['store']);
  const { tags: _tags, ...kept } = metadata;
  return {
    content,
    // Keeps the stores of one export apart, but in one tree.
    container: store === undefined || store === 'default' ? undefined : store,
    tags: tagsOf([...textsOf(record['tags']), ...textsOf(metadata['tags']), type, ...sources], findings),
    createdAt: dateOf(record['created_at'] ?? record['created_at_iso'], findings),
    updatedAt: dateOf(record['updated_at'] ?? record['updated_at_iso'], findings),
    sourceRef: referenceOf({
      store: STORE,
      importedId: record['content_hash'] ?? record['hash'] ?? record['id'],
      type,
      metadata: Object.keys(kept).length === 0 ? undefined : kept,
    }),
  };
}
