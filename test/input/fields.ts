/** Which kind each field of each route is of. */
import type { KindName } from './kinds.ts';

const all = (kind: KindName, names: string): Record<string, KindName> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, kind] as const));

/** By its name, which means the same in every request. */
const BY_NAME: Readonly<Record<string, KindName>> = {
  ...all('name', 'namespace container session to into'),
  ...all('shortName', 'client tool'),
  ...all('tags', 'tags add remove'),
  ...all('entryId', 'id sourceId targetId seed'),
  ...all('idPrefix', 'idPrefix'),
  ...all('path', 'root path'),
  ...all('eventText', 'text input output prompt'),
  ...all('instant', 'createdAfter createdBefore since'),
  ...all('ratio', 'importance min max minImportance maxImportance minScore minStrength strength'),
  ...all('lineNumber', 'start end'),
  ...all('when', 'createdAt updatedAt'),
  ...all(
    'flag',
    `all allNamespaces assist collapse countUse dryRun explain failed global gzip includeArchived includeGlobal includeSuperseded near newerFirst oversized pending
    past permanent settle strict tombstones vectors wait`,
  ),
  content: 'content',
  query: 'query',
  ids: 'ids',
  supersedes: 'ids',
  verdict: 'verdict',
  access: 'keyAccess',
  key: 'settingKey',
  value: 'settingValue',
  hash: 'hash',
  heading: 'heading',
  cwd: 'folder',
  run: 'run',
  confirm: 'confirmation',
  vectorsOf: 'fingerprint',
  limit: 'limit',
  offset: 'offset',
  depth: 'depth',
  probes: 'probes',
  maxTokens: 'tokens',
  maxContentChars: 'contentChars',
  withinMs: 'milliseconds',
  buckets: 'buckets',
  at: 'moment',
  timeZone: 'timeZone',
  priority: 'priority',
  source: 'source',
  searchMode: 'mode',
  sort: 'sort',
  type: 'relationType',
  origin: 'relationOrigin',
  event: 'captureEvent',
  missed: 'miss',
  reason: 'archiveReason',
  range: 'range',
  format: 'format',
  report: 'report',
  form: 'form',
  kind: 'sourceKind',
  files: 'files',
  passages: 'passages',
  details: 'details',
  paths: 'paths',
  of: 'bucketNumbers',
  entities: 'entities',
  sourceRef: 'anyObject',
  embedder: 'anyString',
  first: 'base64',
  further: 'base64List',
  filter: 'filter',
  forgotten: 'syncEntries',
  relations: 'syncEntries',
  unrelated: 'syncEntries',
  entries: 'syncEntries',
};

/** Where the same name means something else. */
const OWN: Readonly<Record<string, KindName>> = {
  'GET /api/relations limit': 'limit1000',
  'GET /api/graph limit': 'limit2000',
  'GET /api/sources limit': 'limit10000',
  'GET /api/entities name': 'entityName',
  'POST /api/entities name': 'entityName',
  'POST /api/entities add': 'entityNames',
  'POST /api/entities remove': 'entityNames',
  'GET /api/values field': 'valueField',
  'GET /api/values contains': 'contained',
  'GET /api/values sort': 'valueSort',
  'GET /api/values limit': 'limit1000',
  'GET /api/entities kind': 'entityKind',
  'GET /api/list kind': 'memoryOrFile',
  'GET /api/facets kind': 'memoryOrFile',
  'GET /api/timeline kind': 'memoryOrFile',
  'POST /api/entities/rename from': 'entityName',
  'POST /api/entities/rename to': 'entityName',
  'POST /api/namespaces/rename from': 'name',
  'POST /api/namespaces/merge from': 'names',
  'POST /api/backups/verify name': 'backupName',
  'POST /api/keys name': 'keyName',
  'DELETE /api/keys id': 'keyId',
  'POST /api/sources files[0].from': 'path',
  'POST /api/sources files[0].passages[0].createdAt': 'instant',
  'POST /api/sync/stamps ids': 'idsOrNone',
  'POST /api/sync/apply entries[0].priority': 'storedPriority',
  'POST /api/sync/apply entries[0].vectors': 'vectors',
  'POST /api/sync/apply forgotten[0].at': 'when',
  'POST /api/sync/apply tombstones': 'syncEntries',
  'POST /api/sync/apply tombstones[0].at': 'when',
  'POST /api/sync/apply unrelated[0].at': 'when',
  ...Object.fromEntries(
    ['POST /api/tags', 'POST /api/namespaces/move', 'POST /api/forget'].flatMap((route) => [
      [`${route} importance`, 'importanceRange' as const],
      [`${route} kind`, 'memoryOrFile' as const],
    ]),
  ),
  ...Object.fromEntries(
    ['POST /api/recall', 'POST /api/search', 'POST /api/explain'].flatMap((route) => [
      [`${route} filter.importance`, 'importanceRange' as const],
      [`${route} filter.kind`, 'memoryOrFile' as const],
    ]),
  ),
};

/** The kind of a field by its path in the body or its name in the query; undefined where nobody said it. */
export function kindOf(route: string, field: string): KindName | undefined {
  const last = field.split('.').at(-1)!;
  const own = OWN[`${route} ${field}`];
  if (own !== undefined) return own;
  return Object.hasOwn(BY_NAME, last) ? BY_NAME[last] : undefined;
}
