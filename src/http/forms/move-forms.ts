/** Renames, merges and moves of namespaces as both response forms print them: these differ in how they write ids. */
import { z } from 'zod';
import type { MoveReport } from '../../memory/operations/namespace-operations.ts';

export const MOVE_ANSWERS = ['moved'] as const;

const count = z.int().min(0);

/** Of a form in which ids look like this. */
export function moveSchemas(id: z.ZodType<string>) {
  return {
    moved: z.object({
      dryRun: z.boolean(),
      to: z.string(),
      matches: count.meta({ description: 'Entries meant that were elsewhere.' }),
      moved: count,
      merged: count.meta({
        description:
          'Entries whose exact text was there already: the one that was there stays, with the tags and relations of both; the other is archived.',
      }),
      duplicates: z.array(z.object({ id, kept: id })).meta({ description: 'The first 1,000 of those.' }),
      archived: count.meta({ description: 'Entries in the archive that belong to the other namespace now.' }),
      left: count.meta({ description: 'Entries that someone changed or deleted meanwhile.' }),
      cameFrom: z
        .array(z.object({ namespace: z.string(), ids: z.array(id) }))
        .optional()
        .meta({ description: 'Of a move that was done: the namespaces that `moved` ones came from, for the way back.' }),
      run: z.string().optional().meta({ description: 'Name of the run under which `merged` ones lie in the archive.' }),
    }),
  };
}

/** What a form makes of the results, by its way to write ids. */
export function moveForms(idForm: (id: string) => string) {
  return {
    moved: ({ duplicates, cameFrom, ...report }: MoveReport) => ({
      ...report,
      ...(cameFrom && { cameFrom: cameFrom.map(({ namespace, ids }) => ({ namespace, ids: ids.map(idForm) })) }),
      duplicates: duplicates.map(({ id, kept }) => ({ id: idForm(id), kept: idForm(kept) })),
    }),
  };
}
