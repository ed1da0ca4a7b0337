import { z } from 'zod';
import { Namespace, Tags } from '../../memory/entry.ts';
import { SourcePath } from '../../memory/operations/source-operations.ts';

/** Dates and relative times that git accepts: `2026-01-31`, `2026-01-31T12:00`, `2 weeks ago`, `yesterday`, `last monday`. */
const SINCE =
  /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,5}[ .](?:hour|day|week|month|year)s?[ .]ago|yesterday|last [a-z]+)$/;
const MAX_COMMITS = 100_000;

/** Options of an ingestion. */
export const IngestRequest = z.object({
  namespace: Namespace.optional(),
  tags: Tags.optional(),
  name: SourcePath.optional(),
  since: z.string().regex(SINCE, 'must be a date such as 2026-01-31, or a time such as "2 weeks ago"').optional(),
  limit: z.int().min(1).max(MAX_COMMITS).optional(),
});
export type IngestRequest = z.output<typeof IngestRequest>;
