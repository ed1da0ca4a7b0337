import type { Inspection, Versions } from '../../inspect-store.ts';
import type { TargetStatus } from '../../integrations/target-states.ts';
import type { Diagnosis, EmbedderReport, Stats } from '../../memory/operations/operations.ts';
import { integrationSummary } from './integrations.ts';
import type { PortCheck } from './port.ts';
import { stdoutColors as pc } from '../print/colors.ts';
import { formatEmbedder } from '../print/entries.ts';
import { amount, byteSize, duration, facts, moment, printable } from '../print/output.ts';
import { versioningText, type Versioning } from './versioning.ts';

/** A problem with its fix. */
export interface Finding {
  /** The affected part of Lore or of the machine. */
  readonly about: 'configuration' | 'version' | 'store' | 'embedder' | 'port' | 'disk' | 'backups' | 'indexes' | 'search' | 'integrations';
  /** In plain words. */
  readonly problem: string;
  /** What to do. */
  readonly fix: string;
}

/** The result of `doctor`. Parts that could not be checked because an earlier check failed are absent. */
export interface Checkup {
  readonly healthy: boolean;
  /** Problems; empty if there are none. */
  readonly findings: readonly Finding[];
  readonly versions: Versions;
  readonly settings?: SettingsFacts;
  readonly surroundings?: Inspection & { readonly port: PortCheck; readonly disk?: { readonly freeBytes: number } };
  readonly store?: StoreFacts;
  /** State of each client of `lore setup`. */
  readonly integrations?: readonly TargetStatus[];
  /** Only with --recall. */
  readonly diagnosis?: Diagnosis;
}

export interface SettingsFacts {
  /** Configuration files that were read, highest priority first. */
  readonly files: readonly string[];
  readonly namespace: { readonly namespace: string; readonly why: string };
  /** Folder of the store. */
  readonly store: string;
  /** Set if there is no store in it yet. Absent if there is one, or if that could not be checked. */
  readonly isNew?: boolean;
  /** Folder with `config.json` and the API keys of this user. */
  readonly folder: string;
}

export interface StoreFacts {
  /** Address of the server that answered, or null if the command opened the store itself. */
  readonly server: string | null;
  readonly entries: number;
  readonly maintenance: string;
  readonly storage: Stats['storage'];
  readonly embedder: EmbedderReport;
  /** Absent for a store that is not on object storage. */
  readonly versioning?: Versioning;
  /** Servers that use it; absent for a store that only one process can open. */
  readonly servers?: number;
  /** Epoch milliseconds. */
  readonly lastBackup?: { readonly name: string; readonly createdAt: number };
}

type Fact = readonly [label: string, value: string | undefined];

/** The facts, then the findings with their fixes. */
export function formatCheckup(checkup: Checkup): string {
  const { findings, versions, settings, surroundings, store, diagnosis, integrations } = checkup;
  const shown = facts([
    ['Version', `lore ${versions.lore}, node ${versions.node}, LanceDB ${versions.lanceDb}`],
    ...settingsFacts(settings),
    ...storeFacts(store, surroundings, diagnosis),
    ...(surroundings === undefined ? [] : surroundingFacts(surroundings)),
    [
      'Versioning',
      store?.versioning && `${versioningText(store.versioning)}. If it is on, deleted data stays there, and costs: docs/shared-store.md`,
    ],
    ['Integrations', integrations && integrationSummary(integrations)],
    [
      'Last backup',
      store && (store.lastBackup === undefined ? 'none' : `${moment(store.lastBackup.createdAt)} (${store.lastBackup.name})`),
    ],
  ]);
  if (findings.length === 0) return `${shown}\n\n${pc.green('All is well.')}`;
  const list = findings
    .map(({ problem, fix }) => `${pc.yellow('!')} ${printable(problem)}\n  ${pc.dim('fix:')} ${printable(fix)}`)
    .join('\n');
  return `${shown}\n\n${pc.bold(amount(findings.length, 'finding', 'findings'))}\n${list}`;
}

function settingsFacts(settings: SettingsFacts | undefined): Fact[] {
  if (settings === undefined) return [];
  const { files, namespace } = settings;
  return [
    ['Configuration', files.length === 0 ? 'defaults, no file' : files.join(', ')],
    ['Namespace', `${namespace.namespace} (${namespace.why})`],
    ['Settings', settings.folder],
    ['Store', `${settings.store}${settings.isNew === true ? ' (no store yet: the first save makes one)' : ''}`],
  ];
}

function storeFacts(
  store: StoreFacts | undefined,
  { holder, format }: Pick<Inspection, 'holder' | 'format'> = {},
  diagnosis: Diagnosis | undefined,
): Fact[] {
  const openIn = holder && `process ${holder.pid}${holder.url === undefined ? '' : `, server ${holder.url}`}`;
  const place: Fact[] = [
    ['Format', format?.toString()],
    ['Open in', openIn ?? store?.server ?? undefined],
    ['Servers', store?.servers?.toString()],
  ];
  if (store === undefined) return place;
  const { entries, storage, maintenance, embedder } = store;
  const size: Fact[] = [
    ['Entries', `${entries.toLocaleString('en-US')}${storage === undefined ? '' : `, ${byteSize(storage.bytes)}`}`],
    ['Not indexed', storage && `${amount(storage.unindexedRows, 'row', 'rows')}, scanned by each search`],
  ];
  return [
    ...place,
    ...(diagnosis === undefined ? size : indexFacts(diagnosis)),
    ['Fragments', storage && `${storage.fragments.toLocaleString('en-US')}, table version ${storage.tableVersion}`],
    ['Maintenance', maintenance],
    ['Embedder', formatEmbedder(embedder)],
  ];
}

const PORT_WORDS = {
  ours: 'used by the server of this store',
  free: 'free',
  lore: 'taken by the server of another store',
  taken: 'taken by another program',
  forbidden: 'not allowed for this user',
  unknown: 'cannot be listened on',
} as const satisfies Record<PortCheck['state'], string>;

function surroundingFacts({ model, port, disk, backupFolder }: NonNullable<Checkup['surroundings']>): Fact[] {
  return [
    ['Model files', model && `${model.isThere ? 'in' : 'not yet in'} ${model.folder} (${model.name})`],
    ['Port', port.port === 0 ? 'any free port' : `${port.port}, ${PORT_WORDS[port.state]}`],
    ['Disk', disk && `${byteSize(disk.freeBytes)} free`],
    ['Backups', backupFolder ?? 'none: storage.backupPath is not set'],
  ];
}

function indexFacts({ rows, freshRows, unindexedRows, vectorIndex, recall, drift, disagreements, search }: Diagnosis): Fact[] {
  const age = vectorIndex.builtAt === undefined ? '' : `, built ${duration(Date.now() - vectorIndex.builtAt)} ago`;
  return [
    ['Rows', rows.toLocaleString('en-US')],
    ['Fresh rows', `${freshRows.toLocaleString('en-US')}, in the log and in memory`],
    ['Not indexed', `${unindexedRows.keyword.toLocaleString('en-US')} by word, ${unindexedRows.vector.toLocaleString('en-US')} by vector`],
    ['Vector index', vectorIndex.kind === 'none' ? 'none: every search is exact' : `${vectorIndex.kind}${age}`],
    ['Recall@10', recall.probes === 0 ? 'nothing to measure: the table has no rows yet' : recallText(recall)],
    ['Own entries', searchText(search)],
    ['Drift', vectorIndex.kind === 'none' ? undefined : `${(drift * 100).toFixed(1)} % of the rows since the vector index was built`],
    ['Disagreements', disagreements === 0 ? 'none' : amount(disagreements, 'row', 'rows')],
  ];
}

/** Undefined for a server that does not compare searches. */
function searchText(search: Diagnosis['search'] | undefined): string | undefined {
  if (search === undefined) return undefined;
  const { probes, keyword, hybrid } = search;
  if (probes === 0) return 'nothing to search for: no entry has a sentence of eight significant words';
  const text = ({ first, firstFive, meanReciprocalRank: mean }: typeof hybrid): string =>
    `${percent(first)} first, ${percent(firstFive)} in five, MRR ${mean.toFixed(3)}`;
  return `hybrid search: ${text(hybrid)}; words alone: ${text(keyword)}; ${amount(probes, 'probe', 'probes')}`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function recallText({ probes, all, oneNamespace, worst }: Diagnosis['recall']): string {
  const [mean, within, least] = [all, oneNamespace, worst].map((share) => share.toFixed(3));
  return `${mean} over all rows, ${within} within one namespace, ${least} the worst of ${amount(probes, 'probe', 'probes')}`;
}
