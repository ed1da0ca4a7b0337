/** What a client must know of every operation. Made by `npm run generate` from src/operations: do not edit. */
export const memories = {
  save: { method: 'POST', path: 'save', beside: ['count'], once: true },
  get: { method: 'GET', path: ':id', bare: true, as: 'entry', entries: ['entry'] },
  update: { method: 'PATCH', path: ':id', as: 'entry', entries: ['entry'], once: true },
  forget: { method: 'DELETE', path: ':id', bare: true, as: '', once: true },
  markUsed: { method: 'POST', path: ':id/use', bare: true, as: 'entry', entries: ['entry'] },
  recall: { method: 'POST', path: 'recall', echoes: ['query'], beside: ['count'], times: ['results.archived.at'], entries: ['results.entry'], safe: true },
  search: { method: 'POST', path: 'search', echoes: ['query', 'filter'], beside: ['count'], times: ['results.archived.at'], entries: ['results.entry'], safe: true },
  list: { method: 'GET', path: 'list', beside: ['count'], entries: ['entries'] },
  explain: { method: 'POST', path: 'explain', safe: true },
  namespaces: { method: 'GET', path: 'namespaces', bare: true, as: 'namespaces', times: ['namespaces.newest'] },
  migrate: { method: 'POST', path: 'migrate', unlimited: true },
  stats: { method: 'GET', path: 'stats', times: ['namespaces.newest', 'runs.at', 'jobs.lastRun.at', 'jobs.nextRunAt', 'lastCompaction.at'] },
  diagnose: { method: 'POST', path: 'diagnose', times: ['vectorIndex.builtAt'], safe: true, unlimited: true },
  verify: { method: 'POST', path: 'verify', bare: true, safe: true, unlimited: true },
  health: { method: 'GET', path: 'health', bare: true, times: ['lastBackup.createdAt', 'lastCompaction.at'] },
} as const;
export const backups = {
  list: { method: 'GET', path: 'backups', bare: true, as: 'backups', times: ['backups.createdAt'] },
  create: { method: 'POST', path: 'backups', bare: true, as: 'backup', times: ['backup.createdAt'], unlimited: true },
  verify: { method: 'POST', path: 'backups/verify', safe: true, unlimited: true },
} as const;
export const bulk = {
  facets: { method: 'GET', path: 'facets' },
  timeline: { method: 'GET', path: 'timeline' },
  tag: { method: 'POST', path: 'tags', unlimited: true },
} as const;
export const capture = {
  accept: { method: 'POST', path: 'capture' },
  stats: { method: 'GET', path: 'capture/stats', times: ['since'] },
  sessions: { method: 'GET', path: 'capture/sessions', as: 'sessions', times: ['sessions.firstAt', 'sessions.lastAt'] },
  undo: { method: 'POST', path: 'capture/undo', unlimited: true },
  review: { method: 'POST', path: 'capture/review', unlimited: true },
  context: { method: 'POST', path: 'context', times: ['items.createdAt'], safe: true },
} as const;
export const details = {
  similar: { method: 'GET', path: ':id/similar', beside: ['count'], times: ['results.archived.at'], entries: ['results.entry'] },
  near: { method: 'POST', path: 'near', beside: ['count'], times: ['results.archived.at'], entries: ['results.entry'], safe: true },
  passages: { method: 'GET', path: ':id/passages', bare: true, as: 'passages' },
} as const;
export const lifecycle = {
  compact: { method: 'POST', path: 'compact', unlimited: true },
  forgetMany: { method: 'POST', path: 'forget', entries: ['preview'], unlimited: true },
  archived: { method: 'GET', path: 'archive', beside: ['count'], times: ['entries.archivedAt', 'entries.relations.createdAt'], entries: ['entries.entry'] },
  restore: { method: 'POST', path: 'restore', beside: ['count'], unlimited: true },
  history: { method: 'GET', path: ':id/history', bare: true, times: ['versions.writtenAt', 'versions.replacedAt'], entries: ['entry'] },
  undo: { method: 'POST', path: ':id/undo', bare: true, as: 'entry', entries: ['entry'], once: true },
} as const;
export const moves = {
  rename: { method: 'POST', path: 'namespaces/rename', unlimited: true },
  merge: { method: 'POST', path: 'namespaces/merge', unlimited: true },
  move: { method: 'POST', path: 'namespaces/move', unlimited: true },
} as const;
export const relations = {
  relate: { method: 'POST', path: 'relations', as: 'relation', times: ['relation.createdAt'], once: true },
  unrelate: { method: 'DELETE', path: 'relations', as: '', once: true },
  list: { method: 'GET', path: 'relations', beside: ['count'], times: ['relations.createdAt'] },
  related: { method: 'GET', path: ':id/related', as: 'related', times: ['related.relation.createdAt'], entries: ['related.entry'] },
  graph: { method: 'GET', path: 'graph', times: ['edges.createdAt'] },
  entities: { method: 'GET', path: 'entities', entries: ['entries'] },
  renamePath: { method: 'POST', path: 'entities/rename', beside: ['count'], unlimited: true },
} as const;
export const sources = {
  list: { method: 'GET', path: 'sources', beside: ['count'], times: ['sources.updatedAt'] },
  replace: { method: 'POST', path: 'sources', as: 'files', unlimited: true },
  remove: { method: 'DELETE', path: 'sources', as: 'files', unlimited: true },
} as const;
export const statistics = {
  growth: { method: 'GET', path: 'stats/growth' },
  activity: { method: 'GET', path: 'stats/activity', times: ['since', 'latency.minutes.at', 'requests.minutes.at'] },
} as const;
export const sync = {
  digests: { method: 'POST', path: 'sync/digests', safe: true, unlimited: true },
  stamps: { method: 'POST', path: 'sync/stamps', safe: true, unlimited: true },
  entries: { method: 'POST', path: 'sync/entries', safe: true, unlimited: true },
  apply: { method: 'POST', path: 'sync/apply', safe: true, unlimited: true },
} as const;
export const ROUTES = { memories, backups, bulk, capture, details, lifecycle, moves, relations, sources, statistics, sync } as const;
