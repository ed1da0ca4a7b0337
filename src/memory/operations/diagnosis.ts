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

/** Ranks of the probe entries in searches for them; shares 0..1 of the probes. */
interface ProbeFigures {
  readonly first: number;
  readonly firstFive: number;
  /** Mean of 1 / rank within the first ten results; 0 if the entry is not among them. */
  readonly meanReciprocalRank: number;
}

/** Consistency of the indexes with the rows, as far as the store itself can check it. */
export interface IndexDiagnosis {
  readonly rows: number;
  /** Rows in the WAL and memtable only, searched exactly. */
  readonly freshRows: number;
  /** Rows of the table that are not yet in the full-text and vector index, searched exactly. */
  readonly unindexedRows: { readonly keyword: number; readonly vector: number };
  readonly vectorIndex: { readonly kind: 'none' | 'ivf_rq' | 'hnsw_sq'; readonly builtAt?: number };
  /** Recall of the vector index: share 0..1 of the exact ten nearest that it finds, mean over the probes; 1 without an index. */
  readonly recall: { readonly probes: number; readonly all: number; readonly oneNamespace: number; readonly worst: number };
  /** Share 0..1 of rows added, changed or deleted since the vector index was built. */
  readonly drift: number;
  /** Rows that the catalog or the full-text index has and the table does not, or the reverse. */
  readonly disagreements: number;
  /** Problems in plain words; empty if there are none. */
  readonly findings: readonly string[];
}

/** Consistency of the indexes, and whether hybrid search ranks entries as well as keyword search. */
export interface Diagnosis extends IndexDiagnosis {
  /** Each probe searches for an entry by a few words of one of its sentences, in keyword and in hybrid mode. */
  readonly search: {
    readonly probes: number;
    readonly keyword: ProbeFigures;
    readonly hybrid: ProbeFigures;
    /** Probes that rank higher in hybrid mode than in keyword mode, and those that rank lower. */
    readonly better: number;
    readonly worse: number;
    /** Only if hybrid search is the default and clearly worse: the problem and the setting that fixes it. */
    readonly finding?: { readonly problem: string; readonly fix: string };
  };
}
