/** One of a few words. */
import type { z } from 'zod';
import { ValuesRequest } from '../../src/memory/operations/bulk-operations.ts';
import { ArchiveRequest } from '../../src/memory/operations/lifecycle-operations.ts';
import { CaptureRequest, CaptureReviewRequest } from '../../src/memory/operations/capture-operations.ts';
import { GenerateKeyRequest } from '../../src/memory/operations/key-operations.ts';
import { ListRequest, RecallRequest, SaveRequest, SearchFilter } from '../../src/memory/operations/operations.ts';
import { EntitiesRequest, RelateRequest } from '../../src/memory/operations/relation-operations.ts';
import { SourcesRequest } from '../../src/memory/operations/source-operations.ts';
import { GrowthRequest } from '../../src/memory/operations/statistics-operations.ts';
import { SyncApplyRequest, SyncEntry } from '../../src/memory/operations/sync-operations.ts';
import { ExportQuery, ImportQuery } from '../../src/operations/transfer.ts';
import { FormQuery } from '../../src/http/representations/representations.ts';
import { each, LONE, SQL, type Kind } from './kind.ts';

/** `changed`: words that are read as others. */
function oneOf(schema: z.ZodType, words: readonly string[], changed: Readonly<Record<string, string>> = {}): Kind {
  const all = words.length > 1 ? `one of ${words.join(', ')}` : words[0]!;
  return {
    schema,
    refused: each(`must be ${all}`, {
      null: null,
      'a number': 1,
      'a boolean': true,
      'an array': [words[0]],
      'an object': {},
      empty: '',
      unknown: 'semantic',
      'in capitals': words[0]!.toUpperCase(),
      'with a blank': ` ${words[0]!}`,
      'a word of JavaScript': 'constructor',
      'another word of JavaScript': '__proto__',
      'a lone surrogate': LONE,
      'too long': 'x'.repeat(9999),
      'SQL-looking': SQL,
    }),
    accepted: Object.fromEntries(words.filter((word) => !Object.hasOwn(changed, word)).map((word) => [word, word])),
    changed: Object.fromEntries(Object.entries(changed).map(([word, meaning]) => [word, [word, meaning] as const])),
    telling: ['null', 'a number', 'unknown', 'a word of JavaScript'],
  };
}

export const WORD_KINDS = {
  priority: oneOf(SaveRequest.shape.priority, ['low', 'normal', 'medium', 'high'], { medium: 'normal' }),
  storedPriority: oneOf(SyncEntry.shape.priority, ['low', 'normal', 'high']),
  source: oneOf(ListRequest.shape.source, ['api', 'cli', 'mcp', 'web', 'auto-capture', 'index', 'ingest', 'import']),
  mode: oneOf(RecallRequest.shape.searchMode, ['vector', 'keyword', 'hybrid']),
  sort: oneOf(ListRequest.shape.sort, ['createdAt', '-createdAt', 'importance', '-importance']),
  relationType: oneOf(RelateRequest.shape.type, ['similar', 'supersedes', 'references', 'contradicts', 'elaborates']),
  relationOrigin: oneOf(SyncApplyRequest.shape.relations.unwrap().element.shape.origin, ['auto', 'manual']),
  entityKind: oneOf(EntitiesRequest.shape.kind, ['path', 'symbol', 'package', 'url', 'error', 'person']),
  valueField: oneOf(ValuesRequest.shape.field, ['namespaces', 'tags', 'entities']),
  valueSort: oneOf(ValuesRequest.shape.sort, ['value', '-entries']),
  sourceKind: oneOf(SourcesRequest.shape.kind, ['index', 'ingest']),
  memoryOrFile: oneOf(SearchFilter.shape.kind, ['memory', 'file']),
  captureEvent: oneOf(CaptureRequest.shape.event, ['session-start', 'prompt', 'tool', 'response', 'session-end']),
  miss: oneOf(CaptureRequest.shape.missed, ['late', 'no server']),
  archiveReason: oneOf(ArchiveRequest.shape.reason, ['expired', 'too many', 'near duplicate', 'forgotten', 'unwanted']),
  keyAccess: oneOf(GenerateKeyRequest.shape.access, ['full', 'read']),
  verdict: oneOf(CaptureReviewRequest.shape.verdict, ['keep', 'drop', 'never']),
  range: oneOf(GrowthRequest.shape.range, ['30d', '12m', 'all']),
  format: oneOf(ExportQuery.shape.format, ['jsonl']),
  report: oneOf(ImportQuery.shape.report, ['summary', 'full']),
  form: oneOf(FormQuery.shape.form, ['reference', 'guide']),
} as const satisfies Readonly<Record<string, Kind>>;
