import { z } from 'zod';

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

/** Where entries come in a search for them; shares 0..1 of the probes. */
export interface ProbeFigures {
  readonly first: number;
  readonly firstFive: number;
  /** Mean of 1 / place within the first ten; 0 for an entry that did not come. */
  readonly meanReciprocalRank: number;
}

/** How well the indexes agree with the rows: what the store knows by itself. */
export interface IndexDiagnosis {
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

/** How well the indexes agree with the rows, and whether hybrid search finds entries as well as words alone do. */
export interface Diagnosis extends IndexDiagnosis {
  /** Each probe is an entry that is searched for by a few words of one of its sentences, by words alone and in hybrid mode. */
  readonly search: {
    readonly probes: number;
    readonly keyword: ProbeFigures;
    readonly hybrid: ProbeFigures;
    /** Probes that come earlier in hybrid mode than by words alone, and those that come later. */
    readonly better: number;
    readonly worse: number;
    /** Only where hybrid search is the default and clearly worse: what was found, and what to set. */
    readonly finding?: { readonly problem: string; readonly fix: string };
  };
}
