/** The graph of entries and relations, as the page reads it. */
import type { GraphNode } from '../../../src/memory/operations/relation-operations.ts';
import type { z } from 'zod';
import type { relations } from '../../../src/operations/relations.ts';
import { call } from './client.ts';

export type { GraphNode };
export type GraphAnswer = z.input<(typeof relations)['graph']['result']>;
export type GraphRelation = GraphAnswer['edges'][number];

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
  return call('graph', { query, signal });
}
