/** What each kind of field refuses, and what looks dangerous and must be taken as plain text. */
export const SQL = "x'; DROP TABLE entries; -- ' OR '1'='1";
const LONE = '\ud800';

interface Faults {
  readonly refused: Readonly<Record<string, unknown>>;
  readonly taken: Readonly<Record<string, unknown>>;
}

const NAME: Faults = {
  refused: {
    null: null,
    'a number': 5,
    'a boolean': true,
    'an array': ['a'],
    'an object': { $ne: '' },
    empty: '',
    blank: ' \t ',
    'too long': 'x'.repeat(257),
    'a lone surrogate': `a${LONE}`,
    'a control character': 'a\u0007b',
    'a NUL': 'a\u0000b',
    'a newline': 'a\nb',
  },
  taken: { 'SQL-looking': SQL, 'a word of JavaScript': '__proto__', emoji: '🐟' },
};
const TAGS: Faults = {
  refused: {
    null: null,
    'a string': 'abc',
    'a number': 5,
    'an object': { length: 1 },
    'too many': Array.from({ length: 65 }, (_, at) => `t${at}`),
    'an empty one': ['a', ''],
    'a blank one': ['  '],
    'one too long': ['x'.repeat(129)],
    'a null in it': [null],
    'a number in it': [5],
    'an array in it': [['a']],
    'a lone surrogate in it': [LONE],
    'a control character in it': ['a\u001bb'],
  },
  taken: { 'none in it': [], 'SQL-looking': [SQL] },
};
const TEXT = {
  null: null,
  'a number': 5,
  'a boolean': false,
  'an array': [],
  'an object': {},
  empty: '',
  blank: '\n ',
  'a lone surrogate': LONE,
};
const QUERY: Faults = {
  refused: { ...TEXT, missing: undefined, 'too long': 'x'.repeat(4097), 'too long in bytes': 'é'.repeat(2049) },
  taken: {
    'SQL-looking': SQL,
    'control characters': 'a\u0000\u0007b',
    'search operators': '"a" AND (b OR *) NOT ~ ^2 [x TO y]',
    'only signs': '%_\'"\\',
  },
};
const RATIO: Faults = {
  refused: { null: null, 'a string': '0.5', 'an array': [0.5], 'below 0': -0.01, 'above 1': 1.01, 'SQL-looking': SQL },
  taken: { zero: 0, one: 1 },
};
const INSTANT: Faults = {
  refused: {
    null: null,
    'a number': 1_700_000_000,
    'an array': [],
    empty: '',
    words: 'yesterday',
    'no month': '2026-13-01',
    'no day': '2026-02-30',
    'blank inside': '2026-01-31 10:00',
    'too long': `2026-01-31T10:00:00.${'0'.repeat(5000)}x`,
    'a lone surrogate': LONE,
    'a control character': '2026-01-31\u0000',
    'SQL-looking': SQL,
  },
  taken: { 'a day': '2026-01-31', 'a time': '2026-01-31T10:00:00Z', 'a zone': '2026-01-31T10:00:00+05:30' },
};

export const FAULTS = {
  name: NAME,
  tags: TAGS,
  query: QUERY,
  ratio: RATIO,
  instant: INSTANT,
  content: {
    refused: { ...TEXT, missing: undefined },
    taken: { 'SQL-looking': SQL, 'control characters': 'a\u0000\u0007\u001b[31mb', markup: '<script>alert(1)</script>' },
  },
  changedContent: { refused: TEXT, taken: { 'SQL-looking': SQL } },
  limit: {
    refused: {
      null: null,
      'a string': '10',
      zero: 0,
      negative: -1,
      'too large': 101,
      huge: 1e300,
      fraction: 1.5,
      'a boolean': true,
      'an array': [10],
    },
    taken: { one: 1, most: 100 },
  },
  shortName: { refused: { ...NAME.refused, missing: undefined, 'too long': 'x'.repeat(129) }, taken: { 'SQL-looking': SQL, emoji: '🐟' } },
  optionalShortName: { refused: { ...NAME.refused, 'too long': 'x'.repeat(129) }, taken: { 'SQL-looking': SQL, emoji: '🐟' } },
  session: { refused: { ...NAME.refused, missing: undefined }, taken: { 'SQL-looking': SQL } },
  folder: {
    refused: {
      null: null,
      'a number': 5,
      'an array': [],
      empty: '',
      'too long': '/x'.repeat(2049),
      'a NUL': '/a\0b',
      'a lone surrogate': LONE,
    },
    taken: { 'a path upwards': '../../etc/passwd', 'SQL-looking': SQL, nowhere: '/no/such/folder' },
  },
  eventText: {
    refused: { null: null, 'a number': 5, 'an array': [], 'an object': {}, 'a lone surrogate': LONE },
    taken: { empty: '', 'SQL-looking': SQL, 'control characters': 'a\u0000\u001b[31mb' },
  },
  captureEvent: {
    refused: {
      missing: undefined,
      null: null,
      'a number': 1,
      empty: '',
      unknown: 'Stop',
      'a word of JavaScript': '__proto__',
      'SQL-looking': SQL,
    },
    taken: { prompt: 'prompt', tool: 'tool' },
  },
  moment: {
    refused: { null: null, 'a string': '1', negative: -1, fraction: 1.5, 'too large': 8_640_000_000_000_001, 'an array': [] },
    taken: { zero: 0, now: 1_767_225_600_000 },
  },
  tokens: {
    refused: { null: null, 'a string': '100', 'too small': 49, 'too large': 8001, fraction: 100.5 },
    taken: { least: 50, most: 8000 },
  },
  milliseconds: {
    refused: { null: null, 'a string': '1', zero: 0, 'too large': 30_001, fraction: 1.5 },
    taken: { least: 1, most: 30_000 },
  },
  probes: {
    refused: {
      null: null,
      'a string': '10',
      zero: 0,
      negative: -1,
      'too large': 1001,
      huge: 1e300,
      fraction: 1.5,
      'a boolean': true,
      'an array': [10],
    },
    taken: { one: 1, most: 1000 },
  },
  backupName: {
    refused: {
      missing: undefined,
      null: null,
      'a number': 5,
      'an array': ['2026-01-01T00-00-00.000Z'],
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
    },
    taken: {},
  },
  entryId: {
    refused: {
      missing: undefined,
      null: null,
      'a number': 5,
      'an array': [],
      'an object': { $ne: '' },
      empty: '',
      'a word': 'nope',
      'two prefixes': 'mem_mem_00000000-0000-7000-8000-000000000000',
      'with a blank': ' 00000000-0000-7000-8000-000000000000',
      'too long': 'a'.repeat(4000),
      'a path': '../../etc/passwd',
      'a lone surrogate': LONE,
      'SQL-looking': SQL,
    },
    taken: { 'with its prefix': 'mem_:id', 'in capitals': ':ID' },
  },
  mode: {
    refused: {
      null: null,
      'a number': 1,
      empty: '',
      unknown: 'semantic',
      'another case': 'VECTOR',
      'a word of JavaScript': 'constructor',
      'SQL-looking': SQL,
      'too long': 'x'.repeat(9999),
    },
    taken: { vector: 'vector', keyword: 'keyword', hybrid: 'hybrid' },
  },
  priority: {
    refused: { null: null, 'a number': 1, empty: '', unknown: 'urgent', 'a word of JavaScript': '__proto__', 'SQL-looking': SQL },
    taken: { medium: 'medium' },
  },
  source: {
    refused: { null: null, 'a number': 1, empty: '', unknown: 'ftp', 'a word of JavaScript': 'constructor', 'SQL-looking': SQL },
    taken: { api: 'api', import: 'import' },
  },
  relationType: {
    refused: {
      missing: undefined,
      null: null,
      'a number': 1,
      empty: '',
      unknown: 'likes',
      'a word of JavaScript': '__proto__',
      'SQL-looking': SQL,
    },
    taken: { similar: 'similar', references: 'references' },
  },
  entityName: {
    refused: { ...NAME.refused, missing: undefined, 'a NUL': 'a\u0000b', 'a newline': 'a\nb' },
    taken: { 'SQL-looking': SQL, emoji: '🐟.md', 'a path upwards': '../../etc/passwd' },
  },
  token: { refused: { null: null, 'a number': 5, 'an array': [], 'an object': {}, 'too long': 'x'.repeat(201) }, taken: {} },
  run: {
    refused: { null: null, 'a number': 5, 'an array': [], 'an object': {}, empty: '', 'too long': 'x'.repeat(65) },
    taken: { unknown: 'no such run', 'SQL-looking': SQL },
  },
  names: {
    refused: {
      missing: undefined,
      null: null,
      'a string': 'abc',
      'an object': { length: 1 },
      'none in it': [],
      'too many': Array.from({ length: 101 }, (_, at) => `n${at}`),
      'an empty one': ['a', ''],
      'a blank one': ['  '],
      'one too long': ['x'.repeat(257)],
      'a null in it': [null],
      'a lone surrogate in it': [LONE],
      'a control character in it': ['a\u001bb'],
    },
    taken: { 'SQL-looking': [SQL] },
  },
  requiredName: { refused: { ...NAME.refused, missing: undefined }, taken: NAME.taken },
  sourceKind: {
    refused: {
      missing: undefined,
      null: null,
      'a number': 1,
      empty: '',
      unknown: 'git',
      'a word of JavaScript': '__proto__',
      'SQL-looking': SQL,
    },
    taken: { index: 'index', ingest: 'ingest' },
  },
  sourceRoot: {
    refused: { ...NAME.refused, missing: undefined, 'too long': 'x'.repeat(1025) },
    taken: { ...NAME.taken, 'a path upwards': '../../etc' },
  },
  sourceFiles: {
    refused: {
      missing: undefined,
      null: null,
      'a string': 'a.ts',
      'an object': { length: 1 },
      'none in it': [],
      'a null in it': [null],
      'one without a path': [{ hash: 'h', passages: [] }],
      'one without a hash': [{ path: 'a', passages: [] }],
      'one without passages': [{ path: 'a', hash: 'h' }],
      'one path twice': [
        { path: 'a', hash: 'h', passages: [] },
        { path: 'a', hash: 'i', passages: [] },
      ],
      'too many': Array.from({ length: 1001 }, (_, at) => ({ path: `${at}`, hash: 'h', passages: [] })),
      'a passage without content': [{ path: 'a', hash: 'h', passages: [{}] }],
      'a line before the first': [{ path: 'a', hash: 'h', passages: [{ content: 'x', start: 0 }] }],
      'a detail that is an object': [{ path: 'a', hash: 'h', passages: [{ content: 'x', details: { page: {} } }] }],
      'a heading of two lines': [{ path: 'a', hash: 'h', passages: [{ content: 'x', heading: 'a\nb' }] }],
    },
    taken: {
      'SQL-looking': [{ path: SQL, hash: SQL, passages: [] }],
      'a path upwards': [{ path: '../../etc/passwd', hash: 'h', passages: [] }],
    },
  },
  sourcePaths: {
    refused: {
      missing: undefined,
      null: null,
      'a string': 'a.ts',
      'none in it': [],
      'an empty one': ['a', ''],
      'a null in it': [null],
      'one too long': ['x'.repeat(1025)],
      'a control character in it': ['a\u001bb'],
      'a lone surrogate in it': [LONE],
      'too many': Array.from({ length: 10_001 }, () => 'a'),
    },
    taken: { 'SQL-looking': [SQL], 'a path upwards': ['../../etc/passwd'] },
  },
  entryIds: {
    refused: { null: null, 'a string': ':id', 'none in it': [], 'a word in it': ['nope'], 'a null in it': [null], 'SQL-looking': [SQL] },
    taken: {},
  },
  flag: {
    refused: { null: null, 'a string': 'true', 'a number': 1, 'an array': [], 'an object': {} },
    taken: { false: false },
  },
  object: {
    refused: { null: null, 'a string': 'x', 'a number': 1, 'an array': [], 'a boolean': true, 'unknown fields': { sql: SQL } },
    taken: { 'nothing in it': {} },
  },
} as const satisfies Record<string, Faults>;
export type Kind = keyof typeof FAULTS;

/** Entries by their ids or by conditions. */
const NAMED = {
  ids: 'entryIds',
  namespace: 'name',
  container: 'name',
  tags: 'tags',
  priority: 'priority',
  source: 'source',
  createdAfter: 'instant',
  createdBefore: 'instant',
  importance: 'object',
  'importance.min': 'ratio',
  'importance.max': 'ratio',
} as const;
const FILTER = {
  filter: 'object',
  'filter.tags': 'tags',
  'filter.priority': 'priority',
  'filter.source': 'source',
  'filter.importance': 'object',
  'filter.importance.min': 'ratio',
  'filter.importance.max': 'ratio',
  'filter.createdAfter': 'instant',
  'filter.createdBefore': 'instant',
} as const;
const SEARCH_OPTIONS = {
  minScore: 'ratio',
  collapse: 'flag',
  explain: 'flag',
  includeSuperseded: 'flag',
  includeArchived: 'flag',
  countUse: 'flag',
} as const;

/** The fields of every JSON body, by their path in it. In `taken`, `:id` stands for the id of an entry. */
export const BODY_FIELDS: readonly { readonly method: string; readonly path: string; readonly fields: Readonly<Record<string, Kind>> }[] = [
  {
    method: 'POST',
    path: '/api/save',
    fields: {
      content: 'content',
      tags: 'tags',
      namespace: 'name',
      container: 'name',
      priority: 'priority',
      global: 'flag',
      importance: 'ratio',
      near: 'flag',
    },
  },
  { method: 'POST', path: '/api/near', fields: { content: 'content', namespace: 'name', global: 'flag' } },
  {
    method: 'POST',
    path: '/api/recall',
    fields: {
      query: 'query',
      namespace: 'name',
      container: 'name',
      tags: 'tags',
      limit: 'limit',
      searchMode: 'mode',
      includeGlobal: 'flag',
      ...SEARCH_OPTIONS,
    },
  },
  {
    method: 'POST',
    path: '/api/search',
    fields: {
      query: 'query',
      namespace: 'name',
      container: 'name',
      tags: 'tags',
      limit: 'limit',
      searchMode: 'mode',
      ...FILTER,
      ...SEARCH_OPTIONS,
    },
  },
  {
    method: 'POST',
    path: '/api/explain',
    fields: {
      query: 'query',
      id: 'entryId',
      namespace: 'name',
      container: 'name',
      tags: 'tags',
      limit: 'limit',
      searchMode: 'mode',
      minScore: 'ratio',
      includeSuperseded: 'flag',
      ...FILTER,
    },
  },
  { method: 'POST', path: '/api/diagnose', fields: { probes: 'probes' } },
  { method: 'POST', path: '/api/verify', fields: {} },
  {
    method: 'PATCH',
    path: '/api/:id',
    fields: { content: 'changedContent', tags: 'tags', priority: 'priority', namespace: 'name', container: 'name', importance: 'ratio' },
  },
  { method: 'POST', path: '/api/migrate', fields: { dryRun: 'flag', wait: 'flag', namespace: 'name' } },
  {
    method: 'POST',
    path: '/api/relations',
    fields: { sourceId: 'entryId', targetId: 'entryId', type: 'relationType', strength: 'ratio' },
  },
  {
    method: 'POST',
    path: '/api/entities/rename',
    fields: { from: 'entityName', to: 'entityName', namespace: 'name', dryRun: 'flag' },
  },
  { method: 'POST', path: '/api/compact', fields: { dryRun: 'flag', namespace: 'name' } },
  {
    method: 'POST',
    path: '/api/forget',
    fields: {
      ...NAMED,
      permanent: 'flag',
      confirm: 'token',
    },
  },
  {
    method: 'POST',
    path: '/api/tags',
    fields: {
      ...NAMED,
      add: 'tags',
      remove: 'tags',
      dryRun: 'flag',
    },
  },
  {
    method: 'POST',
    path: '/api/restore',
    fields: { ids: 'entryIds', run: 'run', since: 'instant', namespace: 'name', dryRun: 'flag' },
  },
  { method: 'POST', path: '/api/:id/undo', fields: {} },
  { method: 'POST', path: '/api/:id/use', fields: {} },
  { method: 'POST', path: '/api/namespaces/rename', fields: { from: 'requiredName', to: 'requiredName', dryRun: 'flag' } },
  { method: 'POST', path: '/api/namespaces/merge', fields: { from: 'names', into: 'requiredName', dryRun: 'flag' } },
  {
    method: 'POST',
    path: '/api/namespaces/move',
    fields: {
      ...NAMED,
      to: 'requiredName',
      dryRun: 'flag',
    },
  },
  {
    method: 'POST',
    path: '/api/sources',
    fields: { namespace: 'name', kind: 'sourceKind', root: 'sourceRoot', files: 'sourceFiles' },
  },
  {
    method: 'DELETE',
    path: '/api/sources',
    fields: { namespace: 'name', kind: 'sourceKind', root: 'sourceRoot', paths: 'sourcePaths' },
  },
  {
    method: 'POST',
    path: '/api/capture',
    fields: {
      client: 'shortName',
      session: 'session',
      event: 'captureEvent',
      namespace: 'name',
      cwd: 'folder',
      text: 'eventText',
      tool: 'optionalShortName',
      input: 'eventText',
      output: 'eventText',
      failed: 'flag',
      oversized: 'flag',
      at: 'moment',
    },
  },
  { method: 'POST', path: '/api/capture/undo', fields: { session: 'session', namespace: 'name', permanent: 'flag', dryRun: 'flag' } },
  {
    method: 'POST',
    path: '/api/context',
    fields: {
      prompt: 'eventText',
      namespace: 'name',
      cwd: 'folder',
      client: 'optionalShortName',
      session: 'name',
      maxTokens: 'tokens',
      minScore: 'ratio',
      includeGlobal: 'flag',
      withinMs: 'milliseconds',
      countUse: 'flag',
    },
  },
  { method: 'POST', path: '/api/backups', fields: {} },
  { method: 'POST', path: '/api/backups/verify', fields: { name: 'backupName' } },
];

/** Values of query parameters, percent-encoded. */
const QUERY_NAME = {
  refused: {
    empty: '',
    blank: '%20',
    'too long': 'x'.repeat(257),
    'a lone surrogate': '%ED%A0%80',
    'half a character': '%C3',
    'a bare percent sign': '%',
    'a NUL': 'a%00b',
    'a newline': 'a%0Ab',
  },
  taken: { 'SQL-looking': encodeURIComponent(SQL), emoji: encodeURIComponent('🐟') },
};
const QUERY_TAGS = {
  refused: {
    'an empty one': 'a,,b',
    'one too long': `a,${'x'.repeat(129)}`,
    'too many': Array.from({ length: 65 }, (_, at) => at).join(','),
    'a control character': 'a%07',
    'a lone surrogate': '%ED%A0%80',
  },
  taken: { none: '', 'SQL-looking': encodeURIComponent(SQL) },
};
const QUERY_FLAG = {
  refused: { empty: '', words: 'yes', 'a number': '1', 'another case': 'TRUE', 'SQL-looking': encodeURIComponent(SQL) },
  taken: { false: 'false' },
};
const words = (taken: Record<string, string>) => ({
  refused: {
    empty: '',
    unknown: 'csv',
    'a word of JavaScript': 'constructor',
    'too long': 'x'.repeat(5000),
    'SQL-looking': encodeURIComponent(SQL),
  },
  taken,
});
const FORM = words({ guide: 'guide' });
const QUERY_INSTANT = {
  refused: {
    empty: '',
    words: 'yesterday',
    'a number': '1700000000',
    'no month': '2026-13-01',
    'a blank inside': '2026-01-31%2010:00',
    'a lone surrogate': '%ED%A0%80',
    'SQL-looking': encodeURIComponent(SQL),
  },
  taken: { 'a day': '2026-01-31', 'a time': '2026-01-31T10:00:00Z', 'a zone': encodeURIComponent('2026-01-31T10:00:00+05:30') },
};
const QUERY_RATIO = {
  refused: { empty: '', words: 'half', negative: '-0.1', 'above 1': '1.01', exponent: '1e-1', 'two points': '0.1.1' },
  taken: { zero: '0', half: '0.5', one: '1' },
};
const RELATION_TYPE = words({ similar: 'similar' });
const TIME_ZONE = {
  refused: {
    empty: '',
    'no zone': 'Nowhere/Here',
    'a path': '..%2f..%2fetc%2fpasswd',
    'too long': 'A'.repeat(65),
    'SQL-looking': encodeURIComponent(SQL),
  },
  taken: { 'a place': 'Europe/Berlin', 'a place of three words': 'America/Argentina/Ushuaia', UTC: 'UTC' },
};
const QUERY_ID = {
  refused: {
    empty: '',
    'a word': 'nope',
    'too long': 'a'.repeat(4000),
    'a path': '..%2f..%2fetc%2fpasswd',
    'a lone surrogate': '%ED%A0%80',
    'SQL-looking': encodeURIComponent(SQL),
  },
  taken: {},
};
const QUERY_OFFSET = {
  refused: { empty: '', words: 'x', negative: '-1', fraction: '1.5', 'SQL-looking': encodeURIComponent(SQL) },
  taken: { zero: '0', 'far beyond the end': '999999999999999' },
};
const numberUpTo = (most: number) => ({
  refused: {
    empty: '',
    words: 'ten',
    zero: '0',
    negative: '-1',
    'too large': String(most + 1),
    fraction: '1.5',
    exponent: '1e1',
    blank: '%201',
  },
  taken: { one: '1', most: String(most) },
});

export const QUERY_FIELDS: readonly {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, { refused: Readonly<Record<string, string>>; taken: Readonly<Record<string, string>> }>>;
}[] = [
  // What is taken is answered without end.
  { method: 'GET', path: '/api/events', fields: { namespace: { refused: QUERY_NAME.refused, taken: {} } } },
  {
    method: 'GET',
    path: '/api/list',
    fields: {
      namespace: QUERY_NAME,
      container: QUERY_NAME,
      tags: QUERY_TAGS,
      limit: {
        refused: {
          empty: '',
          words: 'ten',
          zero: '0',
          negative: '-1',
          'too large': '101',
          fraction: '1.5',
          exponent: '1e1',
          hexadecimal: '0x10',
          blank: '%2010',
          huge: '9'.repeat(400),
          'SQL-looking': encodeURIComponent(SQL),
        },
        taken: { one: '1', most: '100' },
      },
      offset: {
        refused: { empty: '', words: 'x', negative: '-1', fraction: '1.5', huge: '9'.repeat(20), 'SQL-looking': encodeURIComponent(SQL) },
        taken: { zero: '0', 'far beyond the end': '999999999999999' },
      },
      priority: words({ high: 'high', medium: 'medium' }),
      source: words({ mcp: 'mcp', 'two words': 'auto-capture' }),
      createdAfter: QUERY_INSTANT,
      createdBefore: QUERY_INSTANT,
      minImportance: QUERY_RATIO,
      maxImportance: QUERY_RATIO,
      sort: words({ importance: 'importance', '-createdAt': '-createdAt' }),
      allNamespaces: QUERY_FLAG,
      form: FORM,
    },
  },
  {
    method: 'GET',
    path: '/api/timeline',
    fields: {
      namespace: QUERY_NAME,
      container: QUERY_NAME,
      tags: QUERY_TAGS,
      priority: words({ high: 'high', medium: 'medium' }),
      source: words({ mcp: 'mcp', 'two words': 'auto-capture' }),
      createdAfter: QUERY_INSTANT,
      createdBefore: QUERY_INSTANT,
      minImportance: QUERY_RATIO,
      maxImportance: QUERY_RATIO,
      allNamespaces: QUERY_FLAG,
      timeZone: words({ 'a city': 'Europe/Paris', UTC: 'UTC' }),
      form: FORM,
    },
  },
  {
    method: 'GET',
    path: '/api/export',
    fields: { namespace: QUERY_NAME, format: words({ jsonl: 'jsonl' }), vectors: QUERY_FLAG, all: QUERY_FLAG, gzip: QUERY_FLAG },
  },
  {
    method: 'POST',
    path: '/api/import',
    fields: { namespace: QUERY_NAME, strict: QUERY_FLAG, dryRun: QUERY_FLAG, report: words({ full: 'full' }), form: FORM },
  },
  {
    method: 'GET',
    path: '/api/relations',
    fields: { id: QUERY_ID, type: RELATION_TYPE, namespace: QUERY_NAME, limit: numberUpTo(1000), offset: QUERY_OFFSET, form: FORM },
  },
  {
    method: 'GET',
    path: '/api/:id/related',
    fields: { type: RELATION_TYPE, namespace: QUERY_NAME, depth: numberUpTo(4), limit: numberUpTo(100), form: FORM },
  },
  {
    method: 'GET',
    path: '/api/graph',
    fields: {
      namespace: QUERY_NAME,
      seed: QUERY_ID,
      depth: numberUpTo(4),
      type: RELATION_TYPE,
      minStrength: QUERY_RATIO,
      limit: numberUpTo(2000),
      form: FORM,
    },
  },
  {
    method: 'GET',
    path: '/api/entities',
    fields: { name: QUERY_NAME, kind: words({ path: 'path' }), namespace: QUERY_NAME, limit: numberUpTo(100), form: FORM },
  },
  { method: 'GET', path: '/api/health', fields: { form: FORM } },
  { method: 'GET', path: '/api/backups', fields: { form: FORM } },
  { method: 'GET', path: '/api/capture/stats', fields: { namespace: QUERY_NAME, form: FORM } },
  { method: 'GET', path: '/api/capture/sessions', fields: { namespace: QUERY_NAME, limit: numberUpTo(100), form: FORM } },
  { method: 'GET', path: '/api/namespaces', fields: { form: FORM } },
  { method: 'GET', path: '/api/stats', fields: { namespace: QUERY_NAME, form: FORM } },
  {
    method: 'GET',
    path: '/api/stats/growth',
    fields: { range: words({ all: 'all' }), namespace: QUERY_NAME, timeZone: TIME_ZONE, form: FORM },
  },
  { method: 'GET', path: '/api/stats/activity', fields: { namespace: QUERY_NAME, timeZone: TIME_ZONE, form: FORM } },
  {
    method: 'GET',
    path: '/api/sources',
    fields: {
      namespace: QUERY_NAME,
      kind: words({ index: 'index', ingest: 'ingest' }),
      root: { ...QUERY_NAME, refused: { ...QUERY_NAME.refused, 'too long': 'x'.repeat(1025) } },
      limit: numberUpTo(10_000),
      offset: QUERY_OFFSET,
      form: FORM,
    },
  },
  {
    method: 'GET',
    path: '/api/archive',
    fields: {
      namespace: QUERY_NAME,
      reason: words({ expired: 'expired', 'two words': 'near%20duplicate' }),
      run: {
        refused: { empty: '', 'too long': 'x'.repeat(65), 'half a character': '%C3' },
        taken: { 'SQL-looking': encodeURIComponent(SQL) },
      },
      limit: {
        refused: {
          empty: '',
          words: 'ten',
          zero: '0',
          negative: '-1',
          'too large': '101',
          fraction: '1.5',
          exponent: '1e1',
          blank: '%2010',
        },
        taken: { one: '1', most: '100' },
      },
      offset: {
        refused: { empty: '', words: 'x', negative: '-1', fraction: '1.5' },
        taken: { zero: '0', 'far beyond the end': '999999999999999' },
      },
      form: FORM,
    },
  },
  { method: 'GET', path: '/api/:id/history', fields: { form: FORM } },
  {
    method: 'GET',
    path: '/api/:id/similar',
    fields: { namespace: QUERY_NAME, allNamespaces: QUERY_FLAG, limit: numberUpTo(100), form: FORM },
  },
  { method: 'GET', path: '/api/:id/passages', fields: { form: FORM } },
  { method: 'GET', path: '/api/:id', fields: { form: FORM } },
];

/** Bodies that are no JSON object. */
export const NOT_AN_OBJECT: Readonly<Record<string, string>> = {
  nothing: '',
  'a blank': ' ',
  'half an object': '{"content":',
  'two objects': '{"content":"a"} {"content":"b"}',
  'single quotes': "{'content':'a'}",
  'a trailing comma': '{"content":"a",}',
  'not a number': '{"content":NaN}',
  'a raw control character': '{"content":"a\u0000b"}',
  'an array': '[{"content":"a"}]',
  'a string': '"content"',
  'a number': '3',
  null: 'null',
  'an open nest': '['.repeat(30_000),
  'a form': 'content=a&query=a',
};

/** Ids that name nothing, percent-encoded. */
export const NO_IDS: Readonly<Record<string, string>> = {
  unknown: '00000000-0000-7000-8000-000000000000',
  'unknown with prefix': 'mem_00000000-0000-7000-8000-000000000000',
  'two prefixes': 'mem_mem_00000000-0000-7000-8000-000000000000',
  'a word': 'nope',
  'too long': 'a'.repeat(4000),
  'SQL-looking': encodeURIComponent("x' OR '1'='1"),
  'a NUL': '%00',
  'a newline': 'a%0Ab',
  'a bare percent sign': '%',
  'no UTF-8': '%ff',
  'a lone surrogate': '%ED%A0%80',
  'a path': '..%2f..%2fetc%2fpasswd',
  'a word of JavaScript': '__proto__',
};
