import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { dateOf, tagsOf, textOf, textsOf } from './field-values.ts';
import type { Findings } from './findings.ts';
import { isRecord, type JsonRecord } from './json-record.ts';
import { oneLine, plainText } from './text-decoding.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const TEXT_FIELDS = ['content', 'text', 'memory', 'note', 'body'] as const;
const TAG_FIELDS = ['tags', 'tag', 'labels', 'categories', 'keywords'] as const;
const DATE_FIELDS = ['createdAt', 'created_at', 'created', 'timestamp', 'date', 'time'] as const;
const LISTS = ['entries', 'memories', 'results', 'records', 'items', 'documents', 'notes', 'data'] as const;
const MAX_TITLE_CHARS = 300;

/** Whether a JSON value is an object with a text field. */
export function hasText(value: unknown): value is JsonRecord {
  return isRecord(value) && fieldText(value) !== undefined;
}

/** The list in a JSON document of which most items have a text field: the document itself, or a list under a known name. */
export function recordList(document: unknown): readonly unknown[] | undefined {
  const lists = isRecord(document) ? LISTS.map((name) => document[name]) : [document];
  return lists.find((list) => Array.isArray(list) && list.filter(hasText).length > list.length / 2) as readonly unknown[] | undefined;
}

/** Converts an object with a text field to a passage with tags, date and title. Fields of `metadata` count like those of the object. */
export function recordPassage(record: JsonRecord, findings: Findings): SourcePassage | undefined {
  const text = fieldText(record)?.trim();
  if (text === undefined || text === '') return undefined;
  const { metadata } = record;
  const fields: JsonRecord = isRecord(metadata) ? { ...record, ...metadata } : record;
  const title = oneLine(textOf(fields['title']), MAX_TITLE_CHARS);
  const tags = tagsOf(
    TAG_FIELDS.flatMap((field) => textsOf(fields[field]).map(plainText)),
    findings,
  );
  const createdAt = dateOf(
    DATE_FIELDS.map((field) => fields[field]).find((value) => textOf(value) !== undefined),
    findings,
  );
  return {
    content: title === undefined || text.includes(title) ? text : `${title}\n\n${text}`,
    ...withoutUndefined({ heading: title, tags, createdAt }),
  };
}

function fieldText(record: JsonRecord): string | undefined {
  for (const field of TEXT_FIELDS) {
    const value = record[field];
    if (typeof value !== 'string') continue;
    const text = plainText(value);
    if (text.trim() !== '') return text;
  }
  return undefined;
}
