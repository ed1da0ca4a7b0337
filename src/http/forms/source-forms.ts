/** Files whose passages are entries, as both response forms print them. */
import { z } from 'zod';
import { SOURCE_KINDS, type RemovedSource, type ReplacedSource, type SourcePage } from '../../memory/operations/source-operations.ts';
import { Timestamp } from './shared-schemas.ts';

export const SOURCE_ANSWERS = ['sources', 'replaceSources', 'removeSources'] as const;

const count = z.int().min(0);
const StoredSourceSchema = z
  .object({
    kind: z.enum(SOURCE_KINDS),
    root: z.string(),
    path: z.string(),
    hash: z.string().optional().meta({ description: 'Absent where its entries are not all there, or of several versions of it.' }),
    entries: count,
    updatedAt: Timestamp,
  })
  .meta({ id: 'StoredSource' });
const ReplacedSourceSchema = z
  .object({
    path: z.string(),
    stored: count.meta({ description: 'Entries that are new.' }),
    kept: count.meta({ description: 'Entries that were there and say the same.' }),
    removed: count.meta({ description: 'Entries that are gone.' }),
    secrets: z.array(z.string()).optional().meta({ description: 'Kinds of secrets that its text looks as if it holds.' }),
  })
  .meta({ id: 'ReplacedSource' });

export const sourceSchemas = {
  sources: z.object({ count, total: count, offset: count, limit: count, sources: z.array(StoredSourceSchema) }),
  replaceSources: z.object({ files: z.array(ReplacedSourceSchema).meta({ description: 'In the order of the request.' }) }),
  removeSources: z.object({ files: z.array(z.object({ path: z.string(), removed: count })) }),
};

type Forms = { readonly [A in keyof typeof sourceSchemas]: z.output<(typeof sourceSchemas)[A]> };

export const sourceForms = {
  sources: ({ sources, total, offset, limit }: SourcePage): Forms['sources'] => ({
    count: sources.length,
    total,
    offset,
    limit,
    sources: sources.map((source) => ({ ...source, updatedAt: new Date(source.updatedAt).toISOString() })),
  }),
  replaceSources: (files: readonly ReplacedSource[]): Forms['replaceSources'] => ({
    files: files.map(({ secrets, ...file }) => ({ ...file, ...(secrets && { secrets: [...secrets] }) })),
  }),
  removeSources: (files: readonly RemovedSource[]): Forms['removeSources'] => ({ files: [...files] }),
};
