/** Texts, names and ids. */
import { Content, EntryId, IdPrefix } from '../../src/memory/entry.ts';
import { ValuesRequest } from '../../src/memory/operations/bulk-operations.ts';
import { VerifyBackupRequest } from '../../src/memory/operations/backup-operations.ts';
import { CaptureRequest } from '../../src/memory/operations/capture-operations.ts';
import { ChangeSettingRequest } from '../../src/memory/operations/administration.ts';
import { GenerateKeyRequest, KEY_NAME_RULE, RevokeKeyRequest } from '../../src/memory/operations/key-operations.ts';
import { ForgetRequest, RestoreRequest } from '../../src/memory/operations/lifecycle-operations.ts';
import { RecallRequest, SaveRequest } from '../../src/memory/operations/operations.ts';
import { RenamePathRequest } from '../../src/memory/operations/relation-operations.ts';
import { ReplaceSourcesRequest, SourceFile, SourcePassage } from '../../src/memory/operations/source-operations.ts';
import { SyncEntriesRequest, SyncEntry } from '../../src/memory/operations/sync-operations.ts';
import { DANGEROUS, each, LONE, NO_CONTROLS, NO_LONE, NO_STRING, SQL, type Kind } from './kind.ts';
import type { z } from 'zod';

const blank = each('must not be blank', {
  blank: '   ',
  'only what cannot be seen': '\u2800 \u2800',
  'only a variation selector': '\ufe0f',
});
/** Of a text that may hold what a name may not: it is as good as none. */
const invisible = each('must not be blank', {
  empty: '',
  'only controls': ' \n\t\0\u0007',
  'only zero-width characters': '\u200b\u200d\u00ad',
  'only tags': '\u{e0041}\u{e007f}',
  'only directions': '\u202e\u2066',
});
const EMPTY = each('must not be empty', { empty: '' });
const tooLong = (max: number) => each(`must be at most ${max} characters`, { 'too long': 'x'.repeat(max + 1) });
const hidden = (code: string, sign: string) =>
  each(`must not contain zero-width or bidirectional control characters (${code})`, { [code]: `a${sign}b` });

/** Of a namespace, a container, a tag, a client, a session. */
const name = (schema: z.ZodType, max: number): Kind => ({
  schema,
  refused: {
    ...NO_STRING,
    ...NO_LONE,
    ...NO_CONTROLS,
    ...EMPTY,
    ...blank,
    ...tooLong(max),
    ...hidden('U+200B', '\u200b'),
    ...hidden('U+202E', '\u202e'),
    ...hidden('U+FEFF', '\ufeff'),
    ...hidden('U+2066', '\u2066'),
    ...hidden('U+00AD', '\u00ad'),
    ...hidden('U+E0041', '\u{e0041}'),
    ...hidden('U+200D', '\u200d'),
    ...hidden('U+3164', '\u3164'),
  },
  accepted: {
    ...DANGEROUS,
    longest: 'x'.repeat(max),
    'a word for nothing': 'null',
    'no number': 'NaN',
    'a blank around it': ' a ',
    'other scripts': '\u2764\ufe0f 日本語 עברית',
  },
  changed: { 'a letter and its accent': ['cafe\u0301', 'caf\u00e9'] },
  telling: ['null', 'a number', 'a lone surrogate', 'a NUL', 'too long', 'U+200B'],
});

/** Of a root, a path, a hash, a heading: what the disk may call a file. */
const line = (schema: z.ZodType, max: number): Kind => ({
  schema,
  refused: { ...NO_STRING, ...NO_LONE, ...NO_CONTROLS, ...EMPTY, ...tooLong(max), ...each('must not be blank', { blank: '  ' }) },
  accepted: { ...DANGEROUS, longest: 'x'.repeat(max), 'a zero-width space': 'a\u200bb' },
  telling: ['null', 'a number', 'a lone surrogate', 'a newline', 'too long'],
});

/** Of what a client may send in any form: an event, a prompt. */
const anyText = (schema: z.ZodType, max: number): Kind => ({
  schema,
  refused: { ...NO_STRING, ...NO_LONE, ...tooLong(max) },
  accepted: { ...DANGEROUS, empty: '', 'control characters': 'a\0\u001b[31mb\r\n', longest: 'x'.repeat(max) },
  telling: ['null', 'a number', 'a lone surrogate', 'too long'],
});

/** Of a name that Lore gave out and only looks up. */
const token = (schema: z.ZodType, max: number, refused: Kind['refused'] = {}): Kind => ({
  schema,
  refused: {
    ...NO_STRING,
    ...NO_LONE,
    ...each(`must have at most ${max} characters`, { 'too long': 'x'.repeat(max + 1) }),
    ...refused,
  },
  accepted: { ...DANGEROUS, longest: 'x'.repeat(max) },
  telling: ['null', 'a number', 'a lone surrogate', 'too long'],
});

const UUID = '0190a000-0000-7000-8000-00000000000a';

export const TEXT_KINDS = {
  content: {
    schema: Content,
    refused: { ...NO_STRING, ...NO_LONE, ...blank, ...invisible },
    accepted: { ...DANGEROUS, 'control characters': 'a\0\u0007\u001b[31mb', long: 'x'.repeat(100_000), 'not in NFC': 'cafe\u0301' },
    telling: ['null', 'a number', 'blank', 'a lone surrogate'],
  },
  query: {
    schema: RecallRequest.shape.query,
    refused: {
      ...NO_STRING,
      ...NO_LONE,
      ...blank,
      ...invisible,
      ...each('must be at most 4096 bytes', { 'too long': 'x'.repeat(4097), 'too long in bytes': 'é'.repeat(2049) }),
    },
    accepted: { ...DANGEROUS, 'control characters': 'a\0\u0007b', longest: 'é'.repeat(2048) },
    telling: ['null', 'a number', 'blank', 'a lone surrogate', 'too long in bytes'],
  },
  name: name(SaveRequest.shape.namespace, 256),
  shortName: name(CaptureRequest.shape.client, 128),
  path: line(ReplaceSourcesRequest.shape.root, 1024),
  hash: line(SourceFile.shape.hash, 128),
  heading: line(SourcePassage.shape.heading, 500),
  entityName: {
    schema: RenamePathRequest.shape.from,
    refused: { ...NO_STRING, ...NO_LONE, ...NO_CONTROLS, ...tooLong(256), ...each('must not be empty', { empty: '', blank: '  ' }) },
    accepted: { ...DANGEROUS, longest: 'x'.repeat(256) },
    changed: { 'a blank around it': [' a.ts ', 'a.ts'] },
    telling: ['null', 'a number', 'blank', 'a lone surrogate', 'a NUL', 'too long'],
  },
  eventText: anyText(CaptureRequest.shape.text, 65_536),
  folder: {
    schema: CaptureRequest.shape.cwd,
    refused: { ...NO_STRING, ...NO_LONE, ...EMPTY, ...tooLong(4096), ...each('must not contain a NUL', { 'a NUL': '/a\0b' }) },
    accepted: { ...DANGEROUS, nowhere: '/no/such/folder', longest: '/'.repeat(4096) },
    telling: ['null', 'a number', 'empty', 'a lone surrogate', 'a NUL', 'too long'],
  },
  run: token(RestoreRequest.shape.run, 64, each('must have at least 1 characters', { empty: '' })),
  confirmation: token(ForgetRequest.shape.confirm, 200),
  fingerprint: token(SyncEntriesRequest.shape.vectorsOf, 1000),
  contained: {
    schema: ValuesRequest.shape.contains,
    refused: { ...NO_STRING, ...tooLong(256) },
    accepted: { ...DANGEROUS, empty: '' },
    telling: ['null', 'a number', 'too long'],
  },
  anyString: {
    schema: SyncEntry.shape.vectors.unwrap().shape.embedder,
    refused: { ...NO_STRING, ...NO_LONE },
    accepted: DANGEROUS,
    telling: ['null', 'a number', 'a lone surrogate'],
  },
  base64: {
    schema: SyncEntry.shape.vectors.unwrap().shape.first,
    refused: { ...NO_STRING, ...each('is not valid', { 'other signs': 'a-b_', 'no padding': 'abc', SQL }) },
    accepted: { bytes: 'AACAPw==', nothing: '' },
    telling: ['null', 'a number', 'other signs'],
  },
  entryId: {
    schema: EntryId,
    refused: {
      ...NO_STRING,
      ...each('must be the id of an entry', {
        empty: '',
        'a word': 'nope',
        'two prefixes': `mem_mem_${UUID}`,
        'with a blank': ` ${UUID}`,
        'too long': 'a'.repeat(4000),
        'a path': '../../etc/passwd',
        'a lone surrogate': LONE,
        'SQL-looking': SQL,
      }),
    },
    accepted: { 'a UUID': UUID },
    changed: { 'with its prefix': [`mem_${UUID}`, UUID], 'in capitals': [UUID.toUpperCase(), UUID] },
    telling: ['null', 'a number', 'a word', 'two prefixes'],
  },
  idPrefix: {
    schema: IdPrefix,
    refused: {
      ...NO_STRING,
      ...each('must be at least the first 8 characters of an id', {
        empty: '',
        'a word': 'nope',
        'too short': UUID.slice(0, 7),
        'with a blank': ` ${UUID}`,
        'too long': 'a'.repeat(4000),
        'a wildcard': '0190a00%',
        'a lone surrogate': LONE,
        'SQL-looking': SQL,
      }),
    },
    accepted: { 'a UUID': UUID, 'its beginning': UUID.slice(0, 8) },
    changed: { 'with its prefix': [`mem_${UUID.slice(0, 9)}`, UUID.slice(0, 9)], 'in capitals': ['0190ABCD', '0190abcd'] },
    telling: ['null', 'a number', 'a word', 'too short'],
  },
  keyName: {
    schema: GenerateKeyRequest.shape.name,
    refused: {
      ...NO_STRING,
      ...each(KEY_NAME_RULE, {
        empty: '',
        blank: '   ',
        'a path': '../keys',
        'a NUL behind a name': 'laptop\0',
        'a newline behind a name': 'laptop\n',
        'too long': 'x'.repeat(65),
        'a lone surrogate': LONE,
        'SQL-looking': SQL,
      }),
    },
    accepted: { 'a name': 'laptop of Ana' },
    telling: ['null', 'a number', 'a path', 'a newline behind a name'],
  },
  keyId: {
    schema: RevokeKeyRequest.shape.id,
    refused: {
      ...NO_STRING,
      ...each('must be the 12 characters of the id of a key', {
        empty: '',
        'a name': 'laptop',
        'in capitals': '0123456789AB',
        'a newline behind an id': '0123456789ab\n',
        'too long': 'a'.repeat(13),
        'SQL-looking': SQL,
      }),
    },
    accepted: { 'an id': '0123456789ab' },
    telling: ['null', 'a number', 'a name', 'a newline behind an id'],
  },
  settingKey: {
    schema: ChangeSettingRequest.shape.key,
    refused: { ...NO_STRING, ...EMPTY, ...tooLong(200) },
    accepted: { 'a word': 'nope', 'a lone surrogate': LONE, 'SQL-looking': SQL },
    telling: ['null', 'a number', 'too long'],
  },
  settingValue: {
    schema: ChangeSettingRequest.shape.value,
    refused: { ...NO_STRING, ...tooLong(10_000) },
    accepted: { empty: '', 'a number in words': '20' },
    telling: ['null', 'a number', 'too long'],
  },
  backupName: {
    schema: VerifyBackupRequest.shape.name,
    refused: {
      ...NO_STRING,
      ...each('must be the name of a backup, such as 2026-01-31T12-00-00.000Z', {
        empty: '',
        'a word': 'latest',
        'another time': '2026-01-01T00:00:00.000Z',
        'a path': '../store',
        'a path behind a name': '2026-01-01T00-00-00.000Z/../../store',
        'a NUL behind a name': '2026-01-01T00-00-00.000Z\0',
        'a newline behind a name': '2026-01-01T00-00-00.000Z\n',
        'too long': '2'.repeat(4000),
        'a lone surrogate': LONE,
        'SQL-looking': SQL,
      }),
    },
    accepted: { 'a name': '2026-01-01T00-00-00.000Z' },
    telling: ['null', 'a number', 'a path', 'a path behind a name', 'a newline behind a name'],
  },
} as const satisfies Readonly<Record<string, Kind>>;
