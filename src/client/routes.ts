/** What a client must know of every operation. Made by `npm run generate` from src/operations: do not edit. */
export const ROUTES = {
  moves: {
    rename: { method: 'POST', path: 'namespaces/rename', unlimited: true },
    merge: { method: 'POST', path: 'namespaces/merge', unlimited: true },
    move: { method: 'POST', path: 'namespaces/move', unlimited: true },
  },
  relations: {
    relate: { method: 'POST', path: 'relations', as: 'relation', times: ['relation.createdAt'], once: true },
    unrelate: { method: 'DELETE', path: 'relations', as: '', once: true },
    list: { method: 'GET', path: 'relations', beside: ['count'], times: ['relations.createdAt'] },
    related: { method: 'GET', path: ':id/related', as: 'related', times: ['related.relation.createdAt'], entries: ['related.entry'] },
    graph: { method: 'GET', path: 'graph', times: ['edges.createdAt'] },
    entities: { method: 'GET', path: 'entities', entries: ['entries'] },
    renamePath: { method: 'POST', path: 'entities/rename', beside: ['count'], unlimited: true },
  },
  statistics: {
    growth: { method: 'GET', path: 'stats/growth' },
    activity: { method: 'GET', path: 'stats/activity', times: ['since', 'latency.minutes.at', 'requests.minutes.at'] },
  },
} as const;
