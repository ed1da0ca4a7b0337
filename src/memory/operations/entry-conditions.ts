import { z } from 'zod';
import { Container, EntryId, Namespace, PriorityInput, SOURCES, Tags } from '../entry.ts';

export const Instant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()])
  .meta({ description: 'ISO 8601; without a zone it is UTC.', examples: ['2026-01-31T12:00:00Z'] });
export const Ratio = z.number().min(0).max(1);

/** Entries named one by one in one request. */
export const MAX_SELECTED_IDS = 1000;
export const SelectedIds = z.array(EntryId).min(1).max(MAX_SELECTED_IDS);

/** Fields of a request that says by conditions which entries of the whole store it means; all that are given must hold. */
export const ENTRY_CONDITIONS = {
  namespace: Namespace.optional().meta({ description: 'Default all.' }),
  container: Container.optional(),
  tags: Tags.optional().meta({ description: 'All of these.' }),
  priority: PriorityInput.optional(),
  source: z.enum(SOURCES).optional(),
  createdAfter: Instant.optional(),
  createdBefore: Instant.optional(),
  importance: z.strictObject({ min: Ratio.optional(), max: Ratio.optional() }).optional(),
};
