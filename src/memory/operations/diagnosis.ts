import { z } from 'zod';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';

export const DEFAULT_PROBES = 100;

export const DiagnoseRequest = z
  .strictObject({
    probes: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({
        description: `Number of probes: entries searched for with the index and exactly, by words alone and in hybrid mode. Default ${DEFAULT_PROBES}.`,
      }),
  })
  .meta({ id: 'DiagnoseRequest' });
export type DiagnoseRequest = z.output<typeof DiagnoseRequest>;

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);

/** Ranks of the probe entries in searches for them. */
const ProbeFigures = z
  .object({
    first: ratio.meta({ description: 'Share of the probes whose entry comes first.' }),
    firstFive: ratio,
    meanReciprocalRank: ratio.meta({ description: 'Mean of 1 / rank within the first ten; 0 for an entry that is not found.' }),
  })
  .meta({ id: 'ProbeFigures' });

/** Consistency of the indexes, and whether hybrid search ranks entries as well as keyword search. */
export const Diagnosis = z.object({
  rows: count,
  freshRows: count.meta({ description: 'Rows that are only in the log and in memory, searched exactly.' }),
  unindexedRows: z
    .object({ keyword: count, vector: count })
    .meta({ description: 'Rows of the table that are not in an index yet, searched exactly.' }),
  vectorIndex: z.object({ kind: z.enum(['none', 'ivf_rq', 'hnsw_sq']), builtAt: Time.exactOptional() }),
  recall: z.object({ probes: count, all: ratio, oneNamespace: ratio, worst: ratio }).meta({
    description:
      'Share of the ten true nearest neighbours that a search finds: over all rows, within one namespace, and for the worst probe.',
  }),
  drift: ratio.meta({ description: 'Share of rows written or removed since the vector index was last built whole.' }),
  disagreements: count.meta({ description: 'Rows that are in an index but not in the table, or vice versa.' }),
  search: z
    .object({
      probes: count,
      keyword: ProbeFigures,
      hybrid: ProbeFigures,
      better: count.meta({ description: 'Probes that rank higher in hybrid mode than by words alone.' }),
      worse: count.meta({ description: 'Probes that rank lower.' }),
      finding: z
        .object({ problem: z.string(), fix: z.string() })
        .exactOptional()
        .meta({ description: 'Present only if hybrid search is the default and clearly worse than words alone.' }),
    })
    .meta({ description: 'Entries searched for by a few words of one of their sentences, by words alone and in hybrid mode.' }),
  findings: z.array(z.string()).readonly().meta({ description: 'Problems of the indexes, one sentence each; empty if there are none.' }),
});
export type Diagnosis = Result<typeof Diagnosis>;
/** The part that the store checks itself. */
export type IndexDiagnosis = Omit<Diagnosis, 'search'>;
