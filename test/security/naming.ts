/** For every field of every operation, what a caller can put there to name something of somebody else. */
import type { Names } from './two-namespaces.ts';

type Values = (names: Names, operation: string) => readonly unknown[];

const ids: Values = (names) => [names.id, names.archivedId, names.movedId, `mem_${names.id}`];
const word: Values = ({ word: text }) => [text];
const both: Values = () => [true];

const SYNC_ENTRY = {
  container: 'ours',
  tags: [],
  priority: 'normal',
  importance: 0.5,
  source: 'api',
  createdAt: 1_700_000_000_000,
  updatedAt: 2e14,
} as const;

/** A field that is neither here nor in HARMLESS makes the test fail: whoever adds one says which it is. */
export const NAMING: Readonly<Record<string, Values>> = {
  namespace: (names) => [names.namespace],
  container: (names) => [names.container],
  tags: (names) => [[names.tag]],
  add: (names) => [[names.tag]],
  remove: (names) => [[names.tag]],
  filter: (names) => [{ tags: [names.tag] }],
  id: ids,
  sourceId: ids,
  targetId: ids,
  seed: ids,
  // Longer than the time in it: entries of one minute begin alike, and the own ones are told.
  idPrefix: (names) => [names.id, names.id.slice(0, 23), names.archivedId],
  ids: (names) => [[names.id], [names.archivedId], [names.id, names.otherId]],
  supersedes: (names, operation) => (operation === 'memory_save' ? [names.id, names.archivedId] : [[names.id], [names.archivedId]]),
  pending: both,
  run: (names) => [names.run],
  session: (names) => [names.session],
  client: (names) => [names.client],
  root: (names) => [names.root],
  paths: (names) => [[names.path]],
  files: (names) => [
    [{ path: names.path, hash: 'a1', passages: [] }],
    [{ path: 'new.md', hash: 'a1', from: names.path, passages: [{ content: `About the ${names.word}` }] }],
  ],
  from: (names, operation) => [
    operation.includes('entities') ? names.path : operation.includes('merge') ? [names.namespace] : names.namespace,
  ],
  to: (names, operation) => [operation.includes('entities') ? names.path : names.namespace],
  into: (names) => [names.namespace],
  name: (names, operation) => [operation.includes('backups') ? names.backup : names.path],
  contains: (names) => [names.namespace, names.tag, names.path],
  confirm: (names) => [names.token],
  // Of a sync: versions that are later than any that is there.
  entries: (names) => [[names.id], [names.archivedId]].map(([id]) => [{ ...SYNC_ENTRY, id, content: `Planted over the ${names.word}` }]),
  forgotten: (names) => [[names.id, names.archivedId, names.movedId].map((id) => ({ id, at: 2e14 }))],
  tombstones: (names, operation) =>
    operation.includes('apply') ? [[names.id, names.archivedId, names.movedId].map((id) => ({ id, at: 2e14 }))] : [true],
  unrelated: (names) => [[{ sourceId: names.id, targetId: names.otherId, type: 'contradicts', at: 2e14 }]],
  relations: (names) => [
    [{ sourceId: names.id, targetId: names.otherId, type: 'contradicts', strength: 1, createdAt: 2e14, origin: 'manual' }],
  ],
  'Last-Event-ID': (names) => [names.event],
  // Of a save: what changes more says with a new key what it says of what is gone by then.
  'Idempotency-Key': (names, operation) => (operation === 'POST /api/save' ? [names.idempotencyKey] : []),
  // A misspelt word is corrected by what the store knows.
  query: (names) => [names.word, 'hiddenquagmre', 'hidenquagmire'],
  content: (names) => [names.word, `Another ${names.word} lies under the new lighthouse`],
  prompt: word,
  task: word,
  decision: word,
  reason: (names, operation) => (operation === 'save-decision' ? [names.word] : []),
  text: word,
  input: word,
  output: word,
  tool: word,
  cwd: (names) => [`/home/somebody/${names.namespace}`],
  // The ways to ask for more than one namespace.
  allNamespaces: both,
  allProjects: both,
  includeGlobal: both,
  includeSuperseded: both,
  global: both,
  all: both,
  near: both,
  explain: both,
  assist: both,
  vectors: both,
  collapse: both,
  searchMode: () => ['vector', 'keyword', 'hybrid'],
  format: () => ['jsonl', 'json', 'md', 'csv', 'obsidian'],
  form: () => ['guide'],
};

/** Fields of numbers, times and choices. */
export const HARMLESS: ReadonlySet<string> = new Set(
  `access at field buckets countUse createdAfter createdBefore cursor depth dryRun event failed gzip importance includeArchived key kind limit maxContentChars maxImportance maxTokens
  minImportance minScore minStrength missed newerFirst
  of offset oversized past permanent priority probes range report settle since sort source strength strict timeZone type value vectorsOf verdict wait withinMs jsonrpc verbose`.split(
    /\s+/,
  ),
);

/** Bodies that the operations take, where they need any; `field` is about to be set. Every operation with a body has one. */
export const BODIES: Readonly<Record<string, (own: readonly [string, string], field: string) => unknown>> = {
  'POST /api/save': () => ({ content: 'Ours: the kettle is blue' }),
  // Vectors of any two words find what has nothing to do with either, at scores near 0.
  'POST /api/recall': () => ({ query: 'kettle harbour', minScore: 0.1 }),
  'POST /api/search': () => ({ query: 'kettle harbour', minScore: 0.1 }),
  'POST /api/explain': ([id]) => ({ query: 'kettle harbour', id }),
  'POST /api/tags': ([id], field) => ({
    ...(['ids', 'container', 'tags', 'namespace'].includes(field) ? {} : { ids: [id] }),
    ...(field === 'remove' ? {} : { add: ['kept'] }),
  }),
  'PATCH /api/{id}': () => ({ priority: 'low' }),
  'POST /api/near': () => ({ content: 'the kettle of the harbour' }),
  'POST /api/namespaces/rename': () => ({ from: 'ours', to: 'elsewhere' }),
  'POST /api/namespaces/merge': () => ({ from: ['ours'], into: 'elsewhere' }),
  'POST /api/namespaces/move': ([id], field) => ({ to: 'elsewhere', ...(field === 'to' ? { ids: [id] } : {}) }),
  'POST /api/relations': ([sourceId, targetId]) => ({ sourceId, targetId, type: 'references' }),
  'DELETE /api/relations': ([sourceId, targetId]) => ({ sourceId, targetId, type: 'references' }),
  'POST /api/entities': ([id], field) => ({
    ...(['ids', 'name', 'namespace'].includes(field) ? {} : { ids: [id] }),
    ...(field === 'remove' ? {} : { add: ['src/kept.ts'] }),
  }),
  'POST /api/entities/rename': () => ({ from: 'src/none.ts', to: 'src/other.ts' }),
  'POST /api/compact': () => ({ dryRun: true }),
  'POST /api/forget': (_, field) => (field === 'confirm' ? { tags: ['none'] } : {}),
  'POST /api/restore': (_, field) => (['ids', 'run'].includes(field) ? {} : { since: '2000-01-01' }),
  'POST /api/{id}/undo': () => ({}),
  'POST /api/{id}/use': () => ({}),
  'POST /api/capture': () => ({ client: 'claude', session: 'our-session', event: 'session-start' }),
  'POST /api/capture/undo': () => ({ session: 'no-session', dryRun: true }),
  'POST /api/capture/review': ([id]) => ({ ids: [id], verdict: 'keep' }),
  'POST /api/context': () => ({ prompt: 'where is the kettle of the harbour' }),
  'POST /api/sources': () => ({ kind: 'ingest', root: 'our-root', files: [{ path: 'new.md', hash: 'a1', passages: [] }] }),
  'DELETE /api/sources': () => ({ kind: 'ingest', root: 'our-root', paths: ['none.md'] }),
  'POST /api/import': () => '{"content":"planted by an import"}',
  'POST /api/migrate': () => ({ dryRun: true }),
  'POST /api/backups': () => ({}),
  'POST /api/backups/verify': () => ({ name: '2020-01-31T12-00-00.000Z' }),
  'POST /api/keys': () => ({}),
  'DELETE /api/keys': () => ({ id: '0123456789ab' }),
  'POST /api/settings/change': () => ({ key: 'search.limit', value: '20' }),
  'POST /api/diagnose': () => ({ probes: 5 }),
  'POST /api/verify': () => ({}),
  'POST /api/sync/digests': () => ({ namespace: 'ours', buckets: 2 }),
  'POST /api/sync/stamps': () => ({ namespace: 'ours', buckets: 2, of: [0, 1] }),
  'POST /api/sync/entries': ([id]) => ({ namespace: 'ours', ids: [id] }),
  'POST /api/sync/apply': () => ({ namespace: 'ours', settle: true }),
};
