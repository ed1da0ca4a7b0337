/** What is asked of many entries at once, or done to them, in both response forms: these differ in how they write ids. */
import { z } from 'zod';
import type { TagReport, Timeline } from '../../memory/operations/bulk-operations.ts';

export const BULK_ANSWERS = ['timeline', 'tagged'] as const;

const count = z.int().min(0);

/** Of a form in which ids look like this. */
export function bulkSchemas(id: z.ZodType<string>) {
  const change = z.object({ id, added: z.array(z.string()), removed: z.array(z.string()) });
  return {
    timeline: z.object({
      timeZone: z.string(),
      total: count,
      days: z
        .array(z.object({ day: z.iso.date(), entries: count }))
        .meta({ description: 'Newest first; days without entries are left out.' }),
    }),
    tagged: z.object({
      dryRun: z.boolean(),
      matches: count.meta({ description: 'Entries meant.' }),
      changed: z.array(change).meta({ description: 'Those whose tags became others, or would; newest first.' }),
      left: count.meta({
        description: 'Entries left as they are: someone changed or deleted them meanwhile, or they would carry more than 64 tags.',
      }),
    }),
  };
}

/** What a form makes of the results, by its way to write ids. */
export function bulkForms(idForm: (id: string) => string) {
  return {
    timeline: ({ days, ...timeline }: Timeline) => ({ ...timeline, days: [...days] }),
    tagged: ({ changed, ...report }: TagReport) => ({
      ...report,
      changed: changed.map(({ id, added, removed }) => ({ id: idForm(id), added: [...added], removed: [...removed] })),
    }),
  };
}
