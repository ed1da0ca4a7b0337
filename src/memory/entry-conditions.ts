import { z } from 'zod';
import { Container, Namespace, PRIORITIES, SOURCES, Tags } from './entry.ts';
import { Instant } from './operations.ts';

/** Fields of a request that says by conditions which entries of the whole store it means; all that are given must hold. */
export const ENTRY_CONDITIONS = {
  namespace: Namespace.optional().meta({ description: 'Default all.' }),
  container: Container.optional(),
  tags: Tags.optional().meta({ description: 'All of these.' }),
  priority: z.enum(PRIORITIES).optional(),
  source: z.enum(SOURCES).optional(),
  createdAfter: Instant.optional(),
  createdBefore: Instant.optional(),
  importance: z.object({ min: z.number().min(0).max(1).optional(), max: z.number().min(0).max(1).optional() }).optional(),
};
