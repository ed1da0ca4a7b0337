import type { Diagnosis, Stats } from '../memory/operations.ts';
import { stdoutColors as pc } from './colors.ts';
import { amount, duration, facts } from './output.ts';

/** What `doctor` found. */
export interface Checkup {
  readonly healthy: boolean;
  /** What is not as it should be, in plain words; empty when all is well. */
  readonly findings: readonly string[];
  readonly entries: number;
  readonly maintenance: string;
  readonly storage: Stats['storage'];
  /** Only with --recall. */
  readonly diagnosis?: Diagnosis;
}

/** The figures, then the findings. */
export function formatCheckup({ findings, entries, maintenance, storage, diagnosis }: Checkup): string {
  const shown = facts([
    ...(diagnosis === undefined
      ? ([
          ['Entries', entries.toLocaleString('en-US')],
          ['Not indexed', `${amount(storage.unindexedRows, 'row', 'rows')}, searched one by one`],
        ] as const)
      : indexFacts(diagnosis)),
    ['Fragments', storage.fragments.toLocaleString('en-US')],
    ['Maintenance', maintenance],
  ]);
  if (findings.length === 0) return `${shown}\n\n${pc.green('All is well.')}`;
  const list = findings.map((finding) => `${pc.yellow('!')} ${finding}`).join('\n');
  return `${shown}\n\n${pc.bold(amount(findings.length, 'finding', 'findings'))}\n${list}`;
}

function indexFacts({ rows, freshRows, unindexedRows, vectorIndex, recall, drift, disagreements }: Diagnosis) {
  const age = vectorIndex.builtAt === undefined ? '' : `, built ${duration(Date.now() - vectorIndex.builtAt)} ago`;
  return [
    ['Rows', rows.toLocaleString('en-US')],
    ['Fresh rows', `${freshRows.toLocaleString('en-US')}, in the journal and in memory`],
    ['Not indexed', `${unindexedRows.keyword.toLocaleString('en-US')} by word, ${unindexedRows.vector.toLocaleString('en-US')} by vector`],
    ['Vector index', vectorIndex.kind === 'none' ? 'none: every search is exact' : `${vectorIndex.kind}${age}`],
    ['Recall@10', recall.probes === 0 ? 'nothing to measure: no row is in the table yet' : recallText(recall)],
    ['Drift', vectorIndex.kind === 'none' ? undefined : `${(drift * 100).toFixed(1)} % of the rows since the vector index was built`],
    ['Disagreements', disagreements === 0 ? 'none' : amount(disagreements, 'row', 'rows')],
  ] as const;
}

function recallText({ probes, all, oneNamespace, worst }: Diagnosis['recall']): string {
  const [mean, within, least] = [all, oneNamespace, worst].map((share) => share.toFixed(3));
  return `${mean} over all rows, ${within} within one namespace, ${least} the worst of ${amount(probes, 'probe', 'probes')}`;
}
