import { dateOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { firstRecords, recordsOfAll } from './records.ts';

const STORE = 'claude-mem';
const LISTS = ['observations', 'summaries', 'sessions', 'memories'] as const;
const SUMMARY_FIELDS = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const;
const OBSERVATION_FIELDS = ['title', 'subtitle', 'narrative', 'text', 'facts'] as const;
/** Fields that only records of this kind have; title and text occur in many formats. */
const TELLING = ['narrative', 'subtitle', 'facts', 'concepts', 'investigated', 'learned', 'completed', 'next_steps'] as const;

/** Exports in the style of claude-mem: `observations`, session `summaries` or `memories`, with titles, narratives, facts and concepts. */
export const claudeMem: Format = {
  name: STORE,
  unit: ['record', 'records'],
  recognise: (input) => {
    if (isEmptyExport(input)) return 'it is a JSON document with "observations" and "summaries"';
    const isTelling = (record: JsonRecord) => !('content' in record) && !('memory' in record) && TELLING.some((field) => field in record);
    return LISTS.some((list) => firstRecords(input, [list]).some(isTelling))
      ? 'its entries have narratives, facts, concepts or what a session learned, as in claude-mem'
      : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

const isEmptyExport = ({ shape, first }: Input): boolean =>
  shape === 'document' && isRecord(first) && Array.isArray(first['observations']) && Array.isArray(first['summaries']);

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  for await (const found of recordsOfAll(input, LISTS, options.findings)) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const { place, record } = found;
    const summary = summaryText(record);
    const observation = observationText(record);
    if (observation !== undefined) yield { place, entry: entryOf(observation, record, { ...options, kind: 'observation' }) };
    else if (summary !== undefined) yield { place, entry: entryOf(summary, record, { ...options, kind: 'summary' }) };
    else if (isSession(record)) options.findings.leaveOut('sessions');
    else yield { place, problem: 'has no title, narrative, facts or text' };
  }
}

/** Sessions only group observations and contain no memory of their own. */
const isSession = (record: JsonRecord): boolean => 'memory_session_id' in record || 'sdk_session_id' in record || 'session_id' in record;

/** Title, subtitle, narrative, facts and changed files, as far as present; undefined if there is no text. */
function observationText(record: JsonRecord): string | undefined {
  if (!OBSERVATION_FIELDS.some((field) => record[field] !== undefined && record[field] !== null)) return undefined;
  const [title, subtitle] = [textOf(record['title']), textOf(record['subtitle'])];
  const body = textOf(record['narrative']) ?? textOf(record['text']);
  const facts = factsOf(record['facts']).map((fact) => `- ${fact}`);
  const files = filesOf(record, ['files_modified', 'files_touched', 'files']);
  const blocks = [
    [title, subtitle].filter((line) => line !== undefined).join('\n'),
    body?.trim() ?? '',
    facts.join('\n'),
    // In the text, so that a search for a path finds the change.
    files.length === 0 ? '' : `Files: ${files.join(', ')}`,
  ];
  const isSilent = blocks.slice(0, 3).every((block) => block === '');
  return isSilent ? undefined : blocks.filter((block) => block !== '').join('\n\n');
}

/** A fact is a sentence and may contain commas, so only a list, or JSON text of a list, is split. */
function factsOf(value: unknown): string[] {
  return typeof value === 'string' && !value.trim().startsWith('[') ? [value].filter((text) => text.trim() !== '') : textsOf(value);
}

const LABELS = {
  request: 'Request',
  investigated: 'Investigated',
  learned: 'Learned',
  completed: 'Completed',
  next_steps: 'Next steps',
  notes: 'Notes',
} as const satisfies Record<(typeof SUMMARY_FIELDS)[number], string>;

/** A labelled line for each part of a session summary; undefined if there is none. */
function summaryText(record: JsonRecord): string | undefined {
  const parts = SUMMARY_FIELDS.flatMap((field) => {
    const text = textOf(record[field])?.trim();
    return text === undefined ? [] : [`${LABELS[field]}: ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join('\n');
}

function filesOf(record: JsonRecord, fields: readonly string[]): string[] {
  return [...new Set(fields.flatMap((field) => textsOf(record[field])).map((file) => file.trim()))].filter((file) => file !== '');
}

function entryOf(content: string, record: JsonRecord, options: ReadOptions & { readonly kind: 'observation' | 'summary' }): EntryLine {
  const { findings, namespace, kind } = options;
  findings.count(kind === 'summary' ? 'summaries' : 'observations');
  const project = textOf(record['project']);
  const read = filesOf(record, ['files_read']);
  return {
    id: textOf(record['id']),
    content,
    namespace: namespace === undefined ? project : undefined,
    tags: tagsOf(kind === 'summary' ? ['session-summary'] : [record['type'], ...textsOf(record['concepts'])], findings),
    createdAt: dateOf(record['created_at_epoch'] ?? record['created_at'], findings),
    sourceRef: referenceOf({
      store: STORE,
      kind,
      project: namespace === undefined ? undefined : project,
      session: record['memory_session_id'] ?? record['sdk_session_id'] ?? record['session_id'],
      prompt: record['prompt_number'],
      filesRead: read.length === 0 ? undefined : read,
    }),
  };
}
