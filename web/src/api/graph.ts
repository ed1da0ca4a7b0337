/** The graph of entries and relations, as the page reads it. */
import type { GraphNode } from '../../../src/memory/operations/relation-operations.ts';
import type { Relation } from '../../../src/memory/relation.ts';
import { call } from './client.ts';

export type { GraphNode };
export type GraphRelation = Omit<Relation, 'createdAt'> & { readonly createdAt: string };

export interface GraphAnswer {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphRelation[];
  /** Whether there is more than the limit let in. */
  readonly truncated: boolean;
}

export interface GraphWish {
  /** Empty for all. */
  readonly namespace: string;
  /** The entry in the middle; empty for those with most relations. */
  readonly seed: string;
  /** How far from the seed. */
  readonly depth: string;
  /** Nodes at most. */
  readonly limit: number;
}

/** Entries and the relations between them; rejects with status 404 where there is no such seed. Safe to repeat. */
export function graph({ namespace, seed, depth, limit }: GraphWish, signal?: AbortSignal): Promise<GraphAnswer> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (seed !== '') {
    query.set('seed', seed);
    query.set('depth', depth);
  } else if (namespace !== '') query.set('namespace', namespace);
  return call('/api/graph', { query, signal });
}
