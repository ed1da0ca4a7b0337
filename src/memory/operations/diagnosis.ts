import { z } from 'zod';

export const DiagnoseRequest = z
  .strictObject({
    probes: z.int().min(1).max(1000).optional().meta({ description: 'Entries searched for, indexed and exactly. Default 100.' }),
  })
  .meta({ id: 'DiagnoseRequest' });
export type DiagnoseRequest = z.output<typeof DiagnoseRequest>;

/** How well the indexes agree with the rows. */
export interface Diagnosis {
  readonly rows: number;
  /** Rows that are in the journal and in memory only, searched exactly. */
  readonly freshRows: number;
  /** Rows of the table that the full-text and the vector index do not hold yet, searched exactly. */
  readonly unindexedRows: { readonly keyword: number; readonly vector: number };
  readonly vectorIndex: { readonly kind: 'none' | 'ivf_rq' | 'hnsw_sq'; readonly builtAt?: number };
  /** Share 0..1 of the true ten nearest that the index finds, mean over the probes; 1 where there is no index. */
  readonly recall: { readonly probes: number; readonly all: number; readonly oneNamespace: number; readonly worst: number };
  /** Share 0..1 of rows that came, changed or went since the vector index was made. */
  readonly drift: number;
  /** Rows that the directory or the full-text index knows and the table does not, or the other way round. */
  readonly disagreements: number;
  /** What is not as it should be, in plain words; empty when all is well. */
  readonly findings: readonly string[];
}
