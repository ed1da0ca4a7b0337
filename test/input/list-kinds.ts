/** Lists, and objects with fields of their own. */
import { SearchFilter, SaveRequest } from '../../src/memory/operations/operations.ts';
import { TagRequest } from '../../src/memory/operations/bulk-operations.ts';
import { MergeNamespacesRequest } from '../../src/memory/operations/namespace-operations.ts';
import { NamesRequest } from '../../src/memory/operations/relation-operations.ts';
import { RemoveSourcesRequest, ReplaceSourcesRequest, SourceFile, SourcePassage } from '../../src/memory/operations/source-operations.ts';
import { SyncApplyRequest, SyncEntry, SyncStampsRequest } from '../../src/memory/operations/sync-operations.ts';
import { each, LONE, SQL, type Kind, type Refused } from './kind.ts';

const NO_ARRAY = each('must be an array', { null: null, 'a string': 'abc', 'a number': 5, 'an object': { length: 1 } });
const NO_OBJECT = each('must be an object', { null: null, 'a string': 'x', 'a number': 1, 'an array': [], 'a boolean': true });
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);
const UUID = '0190a000-0000-7000-8000-00000000000a';

/** What is wrong with one name of a list. */
const inNames = (max: number): Record<string, Refused> => ({
  ...each('[1] must not be empty', { 'an empty one': ['a', ''] }),
  ...each('[0] must not be blank', { 'a blank one': ['  '] }),
  ...each(`[0] must be at most ${max} characters`, { 'one too long': ['x'.repeat(max + 1)] }),
  ...each('[0] must be a string', { 'a null in it': [null], 'a number in it': [5], 'an array in it': [['a']] }),
  ...each('[0] must be well-formed Unicode (it has a lone surrogate)', { 'a lone surrogate in it': [LONE] }),
  ...each('[0] must not contain control characters', { 'a control character in it': ['a\u001bb'] }),
});

const file = (fields: object) => [{ path: 'a.ts', hash: 'h', passages: [], ...fields }];
const passage = (fields: object) => file({ passages: [{ content: 'x', ...fields }] });
const details = (size: number) => Object.fromEntries(many(size).map((key) => [key, 1]));

export const LIST_KINDS = {
  tags: {
    schema: SaveRequest.shape.tags,
    refused: { ...NO_ARRAY, ...inNames(128), ...each('must have at most 64 tags', { 'too many': many(65) }) },
    accepted: { none: [], most: many(64), 'SQL-looking': [SQL], 'with a comma': ['a,b'] },
    telling: ['null', 'a string', 'too many', 'a null in it', 'a lone surrogate in it', 'one too long'],
  },
  names: {
    schema: MergeNamespacesRequest.shape.from,
    refused: {
      ...NO_ARRAY,
      ...inNames(256),
      ...each('must have at least 1 items', { none: [] }),
      ...each('must have at most 100 items', { 'too many': many(101) }),
    },
    accepted: { one: ['a'], most: many(100), 'SQL-looking': [SQL] },
    telling: ['null', 'a string', 'none', 'too many', 'a null in it', 'a lone surrogate in it'],
  },
  entityNames: {
    schema: NamesRequest.shape.add,
    refused: {
      ...NO_ARRAY,
      ...each('must have at least 1 items', { none: [] }),
      ...each('must have at most 64 items', { 'too many': many(65) }),
      ...each('[0] must be a string', { 'a null in it': [null] }),
      ...each('[0] must be well-formed Unicode (it has a lone surrogate)', { 'a lone surrogate in it': [LONE] }),
    },
    accepted: { one: ['a'], most: many(64), 'SQL-looking': [SQL] },
    telling: ['null', 'a string', 'none', 'too many', 'a null in it', 'a lone surrogate in it'],
  },
  ids: {
    schema: TagRequest.shape.ids,
    refused: {
      ...NO_ARRAY,
      ...each('must have at least 1 items', { none: [] }),
      ...each('must have at most 1000 items', { 'too many': Array.from({ length: 1001 }, () => UUID) }),
      ...each('[0] must be the id of an entry', { 'a word in it': ['nope'], 'SQL-looking': [SQL] }),
      ...each('[0] must be a string', { 'a null in it': [null] }),
    },
    accepted: { one: [UUID] },
    changed: { 'with its prefix': [[`mem_${UUID}`], [UUID]] },
    telling: ['null', 'a string', 'none', 'too many', 'a word in it', 'a null in it'],
  },
  idsOrNone: {
    schema: SyncStampsRequest.shape.ids,
    refused: {
      ...NO_ARRAY,
      ...each('must have at most 1000 items', { 'too many': Array.from({ length: 1001 }, () => UUID) }),
      ...each('[0] must be the id of an entry', { 'a word in it': ['nope'] }),
    },
    accepted: { none: [], one: [UUID] },
    telling: ['null', 'a string', 'too many', 'a word in it'],
  },
  paths: {
    schema: RemoveSourcesRequest.shape.paths,
    refused: {
      ...NO_ARRAY,
      ...inNames(1024),
      ...each('must name at least one path', { none: [] }),
      ...each('must have at most 10000 paths', { 'too many': Array.from({ length: 10_001 }, () => 'a') }),
    },
    accepted: { one: ['a.ts'], 'SQL-looking': [SQL], 'a path upwards': ['../../etc/passwd'] },
    telling: ['null', 'a string', 'none', 'too many', 'a null in it', 'a lone surrogate in it'],
  },
  bucketNumbers: {
    schema: SyncStampsRequest.shape.of,
    refused: {
      ...NO_ARRAY,
      ...each('must have at most 1024 items', { 'too many': Array.from({ length: 1025 }, () => 1) }),
      ...each('[0] must be a number', { 'a string in it': ['1'] }),
      ...each('[0] must be a whole number', { 'a fraction in it': [0.5] }),
      ...each('[0] must be at least 0', { 'one below 0': [-1] }),
      ...each('[0] must be at most 65535', { 'one too large': [65_536] }),
    },
    accepted: { none: [], bounds: [0, 65_535] },
    telling: ['null', 'a string', 'too many', 'a string in it', 'one too large'],
  },
  entities: {
    schema: SyncEntry.shape.entities,
    refused: {
      ...NO_ARRAY,
      ...each('must have at most 64 items', { 'too many': many(65) }),
      ...each('[0] must be a string', { 'a null in it': [null] }),
      ...each('[0] must have at least 1 characters', { 'an empty one': [''] }),
      ...each('[0] must have at most 256 characters', { 'one too long': ['x'.repeat(257)] }),
      ...each('[0] must be well-formed Unicode (it has a lone surrogate)', { 'a lone surrogate in it': [LONE] }),
    },
    accepted: { none: [], most: many(64) },
    telling: ['null', 'a string', 'too many', 'a null in it', 'one too long', 'a lone surrogate in it'],
  },
  base64List: {
    schema: SyncEntry.shape.vectors.unwrap().shape.further,
    refused: { ...NO_ARRAY, ...each('[0] is not valid', { 'no base64 in it': ['?'] }) },
    accepted: { none: [], one: ['AACAPw=='] },
    telling: ['null', 'a string', 'no base64 in it'],
  },
  files: {
    schema: ReplaceSourcesRequest.shape.files,
    refused: {
      ...NO_ARRAY,
      ...each('must name at least one file', { none: [] }),
      ...each('must have at most 1000 files', { 'too many': many(1001).map((path) => ({ path, hash: 'h', passages: [] })) }),
      ...each('must name each path once', { 'one path twice': [...file({}), ...file({ hash: 'i' })] }),
      ...each('must have at most 20000 passages', {
        'too many passages in all': ['a', 'b'].map((path) => ({
          path,
          hash: 'h',
          passages: Array.from({ length: 10_001 }, () => ({ content: 'x' })),
        })),
      }),
      ...each('[0] must be an object', { 'a null in it': [null] }),
      ...each('[0].path is required', { 'one without a path': file({ path: undefined }) }),
      ...each('[0].hash is required', { 'one without a hash': file({ hash: undefined }) }),
      ...each('[0].passages is required', { 'one without passages': file({ passages: undefined }) }),
      ...each('[0].passages[0].content is required', { 'a passage without content': file({ passages: [{}] }) }),
      ...each('[0].passages[0].start must be at least 1', { 'a line before the first': passage({ start: 0 }) }),
      ...each('[0].passages[0].heading must not contain control characters', { 'a heading of two lines': passage({ heading: 'a\nb' }) }),
    },
    accepted: {
      'without passages': file({}),
      'SQL-looking': file({ path: SQL, hash: SQL }),
      whole: passage({ start: 1, end: 2, heading: 'A > B' }),
    },
    telling: ['null', 'a string', 'none', 'a null in it', 'one path twice'],
  },
  passages: {
    schema: SourceFile.shape.passages,
    refused: {
      ...NO_ARRAY,
      ...each('must have at most 20000 passages', { 'too many': Array.from({ length: 20_001 }, () => ({ content: 'x' })) }),
      ...each('[0] must be an object', { 'a null in it': [null] }),
    },
    accepted: { none: [], one: [{ content: 'x' }] },
    telling: ['null', 'a string', 'a null in it'],
  },
  details: {
    schema: SourcePassage.shape.details,
    refused: {
      ...NO_OBJECT,
      ...each('must have at most 16 fields', { 'too many': details(17) }),
      ...each('.page does not have an allowed form', { 'an object in it': { page: {} }, 'a null in it': { page: null } }),
    },
    accepted: { none: {}, most: details(16), 'words, figures and flags': { a: 'x', b: 1.5, c: true } },
    telling: ['null', 'a string', 'an array', 'too many', 'an object in it'],
  },
  anyObject: {
    schema: SyncEntry.shape.sourceRef,
    refused: NO_OBJECT,
    accepted: { nothing: {}, nested: { a: { b: [null, 1] } } },
    telling: ['null', 'a string', 'an array'],
  },
  filter: {
    schema: SearchFilter.optional(),
    refused: {
      ...NO_OBJECT,
      ...each('.tags must be an array', { 'tags as a text': { tags: 'a,b' } }),
      ...each('.importance.min must be at least 0', { 'too little importance': { importance: { min: -1 } } }),
      ...each('.createdAfter must be an ISO 8601 date or time', { 'words for a day': { createdAfter: 'yesterday' } }),
    },
    accepted: { nothing: {}, 'conditions in it': { tags: [SQL], importance: { min: 0, max: 1 }, createdAfter: '2026-01-31' } },
    telling: ['null', 'a string', 'an array', 'a boolean'],
  },
  importanceRange: {
    schema: SearchFilter.shape.importance,
    refused: { ...NO_OBJECT, ...each('.min must be a number', { 'a string in it': { min: '0' }, 'a null in it': { min: null } }) },
    accepted: { nothing: {}, both: { min: 0, max: 1 }, 'the wrong way round': { min: 1, max: 0 } },
    telling: ['null', 'a string', 'a number', 'an array'],
  },
  vectors: { schema: SyncEntry.shape.vectors, refused: NO_OBJECT, accepted: {}, telling: ['null', 'a string', 'an array'] },
  syncEntries: {
    schema: SyncApplyRequest.shape.entries,
    refused: { ...NO_ARRAY, ...each('[0] must be an object', { 'a null in it': [null] }) },
    accepted: { none: [] },
    telling: ['null', 'a string', 'a null in it'],
  },
} as const satisfies Readonly<Record<string, Kind>>;
