/** Numbers, moments, and true or false. */
import type { z } from 'zod';
import { Instant, Ratio } from '../../src/memory/operations/entry-conditions.ts';
import { CaptureRequest, ContextRequest } from '../../src/memory/operations/capture-operations.ts';
import { TimelineRequest } from '../../src/memory/operations/bulk-operations.ts';
import { DiagnoseRequest, ListRequest, RecallRequest, SaveRequest } from '../../src/memory/operations/operations.ts';
import { GraphRequest, RelatedRequest, RelationsRequest } from '../../src/memory/operations/relation-operations.ts';
import { SourcePassage, SourcesRequest } from '../../src/memory/operations/source-operations.ts';
import { SyncDigestsRequest, SyncEntry } from '../../src/memory/operations/sync-operations.ts';
import { each, LONE, NO_STRING, SQL, type Kind } from './kind.ts';

const NO_NUMBER = each('must be a number', {
  null: null,
  'a string': '10',
  'an empty string': '',
  words: 'ten',
  'with a blank': ' 10',
  'an exponent as text': '1e1',
  hexadecimal: '0x10',
  'digits without end': '9'.repeat(400),
  'no number': 'NaN',
  'a boolean': true,
  'an array': [10],
  'an object': {},
  'SQL-looking': SQL,
  infinite: Infinity,
});
const below = (min: number, value: number) => each(`must be at least ${min}`, { 'too small': value, 'far below': -1e300 });
const above = (max: number, value: number) => each(`must be at most ${max}`, { 'too large': value, huge: 1e300 });

/** A whole number within bounds. */
const whole = (schema: z.ZodType, min: number, max: number): Kind => ({
  schema,
  refused: { ...NO_NUMBER, ...each('must be a whole number', { 'a fraction': min + 0.5 }), ...below(min, min - 1), ...above(max, max + 1) },
  accepted: { least: min, most: max },
  telling: ['null', 'a string', 'a fraction', 'too small', 'too large'],
});
/** One without an upper bound of its own. */
const wholeFrom = (schema: z.ZodType, min: number): Kind => ({
  schema,
  refused: {
    ...NO_NUMBER,
    ...each('must be a whole number', { 'a fraction': min + 0.5 }),
    ...below(min, min - 1),
    ...each('must be at most 9007199254740991', { 'beyond what is exact': 2 ** 53 }),
  },
  accepted: { least: min, 'far beyond the end': 999_999_999_999_999 },
  telling: ['null', 'a string', 'a fraction', 'too small'],
});
/** A number within bounds, with fractions. */
const number = (schema: z.ZodType, min: number, max: number): Kind => ({
  schema,
  refused: { ...NO_NUMBER, ...below(min, min - 0.01), ...above(max, max + Math.max(0.01, max / 1000)) },
  accepted: { least: min, most: max, 'a fraction': min + 0.5 },
  telling: ['null', 'a string', 'too small', 'too large'],
});

const NO_DATE = each('must be an ISO 8601 date or time', {
  null: null,
  'a number': 1_700_000_000,
  'an array': [],
  'an object': {},
  empty: '',
  words: 'yesterday',
  'digits alone': '1700000000',
  'no month': '2026-13-01',
  'no day': '2026-02-30',
  'no hour': '2026-01-31T25:00:00Z',
  'a blank inside': '2026-01-31 10:00',
  'too long': `2026-01-31T10:00:00.${'0'.repeat(5000)}x`,
  'a lone surrogate': LONE,
  'a control character': '2026-01-31\0',
  'SQL-looking': SQL,
});

const NO_FLAG = each('must be true or false', {
  null: null,
  words: 'yes',
  empty: '',
  'true as text': 'true',
  'in capitals': 'TRUE',
  'a number': 1,
  'an array': [],
  'an object': {},
  'SQL-looking': SQL,
});

const LATEST_DATE = 253_402_300_799_999;

export const NUMBER_KINDS = {
  limit: whole(RecallRequest.shape.limit, 1, 100),
  limit1000: whole(RelationsRequest.shape.limit, 1, 1000),
  limit2000: whole(GraphRequest.shape.limit, 1, 2000),
  limit10000: whole(SourcesRequest.shape.limit, 1, 10_000),
  depth: whole(RelatedRequest.shape.depth, 1, 4),
  probes: whole(DiagnoseRequest.shape.probes, 1, 1000),
  tokens: whole(ContextRequest.shape.maxTokens, 50, 8000),
  contentChars: whole(ListRequest.shape.maxContentChars, 100, 1_000_000),
  milliseconds: whole(ContextRequest.shape.withinMs, 1, 30_000),
  buckets: whole(SyncDigestsRequest.shape.buckets, 1, 65_536),
  moment: {
    ...whole(CaptureRequest.shape.at, 0, 8_640_000_000_000_000),
    accepted: { least: 0, now: 1_767_225_600_000, most: 8_640_000_000_000_000 },
  },
  offset: wholeFrom(ListRequest.shape.offset, 0),
  lineNumber: wholeFrom(SourcePassage.shape.start, 1),
  ratio: number(Ratio, 0, 1),
  when: number(SyncEntry.shape.createdAt, 0, LATEST_DATE),
  flag: {
    schema: SaveRequest.shape.global,
    refused: NO_FLAG,
    accepted: { true: true, false: false },
    telling: ['null', 'words', 'true as text', 'a number'],
  },
  instant: {
    schema: Instant,
    refused: NO_DATE,
    accepted: {
      'a day': '2026-01-31',
      'a time': '2026-01-31T10:00:00Z',
      'without seconds': '2026-01-31T10:00Z',
      'without a zone': '2026-01-31T10:00:00',
      'a zone': '2026-01-31T10:00:00+05:30',
      'a leap day': '2028-02-29',
      'the last year': '9999-12-31T23:59:59.999Z',
    },
    telling: ['null', 'a number', 'words', 'no day'],
  },
  timeZone: {
    schema: TimelineRequest.shape.timeZone,
    refused: {
      ...NO_STRING,
      ...each('must be the name of a time zone, such as Europe/Berlin', {
        empty: '',
        'no zone': 'Nowhere/Here',
        'a path': '../../etc/passwd',
        'a lone surrogate': LONE,
        'SQL-looking': SQL,
      }),
      ...each('must be at most 64 characters', { 'too long': 'A'.repeat(65) }),
    },
    accepted: { UTC: 'UTC', 'a place': 'Europe/Berlin', 'a place of three words': 'America/Argentina/Ushuaia' },
    telling: ['no zone', 'too long'],
  },
} as const satisfies Readonly<Record<string, Kind>>;
