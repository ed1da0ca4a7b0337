import type { GraphNode } from '../../../src/memory/operations/relation-operations.ts';
import type { z } from 'zod';
import type { relations } from '../../../src/operations/relations.ts';
import { lore } from './client.ts';

export type { GraphNode };
export type GraphResponse = z.input<(typeof relations)['graph']['result']>;
export type GraphRelation = GraphResponse['edges'][number];

export interface GraphInput {
  /** Empty for all. */
  readonly namespace: string;
  /** Entry at the center; empty for the entries with most relations. */
  readonly seed: string;
  /** Distance from the seed. */
  readonly depth: string;
  readonly limit: number;
}

/** Loads entries and the relations between them. Rejects with status 404 for an unknown seed. */
export function graph({ namespace, seed, depth, limit }: GraphInput, signal?: AbortSignal): Promise<GraphResponse> {
  const where = seed !== '' ? { seed, depth: Number(depth) } : namespace !== '' && { namespace };
  return lore.relations.graph({ limit, ...where }, { signal });
}
