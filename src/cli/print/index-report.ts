import { stderrColors, stdoutColors as pc } from './colors.ts';
import type { IndexReport, SkipCount } from '../../sources/project/index-run.ts';
import type { IndexStatus } from '../../sources/project/status.ts';
import { amount, facts, moment, printable } from './output.ts';

const SECRETS_SHOWN = 5;

const files = (count: number): string => amount(count, 'file', 'files');
const entries = (count: number): string => amount(count, 'entry', 'entries');
/** `3 new, 1 changed`; zero counts are left out. */
const counts = (parts: readonly (readonly [number, string])[]): string =>
  parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${word}`])).join(', ');

/** The report of a run or dry run, with the files left out. */
export function formatIndexReport(report: IndexReport): string {
  const { root, scope, namespace, ms, dryRun } = report;
  const place = scope === '' ? root : `${scope} of ${root}`;
  const lines = [
    `${dryRun ? 'Would index' : 'Indexed'} ${printable(place)} into ${pc.bold(printable(namespace))} (${(ms / 1000).toFixed(1)} s)`,
    facts([
      ['Files', filesLine(report)],
      ['Entries', entriesLine(report)],
    ]),
  ];
  if (report.skipped.length > 0) lines.push('Left out', facts(report.skipped.map(skipLine)));
  return lines.join('\n');
}

/** One line for one of many runs. */
export function formatChange(report: IndexReport): string {
  return `${pc.dim(moment(Date.now()))}  ${filesLine(report)}; ${entriesLine(report)}`;
}

function filesLine({ files: of }: IndexReport): string {
  const parts = counts([
    [of.new, 'new'],
    [of.changed, 'changed'],
    [of.renamed, 'renamed'],
    [of.removed, 'removed'],
    [of.unchanged, 'unchanged'],
  ]);
  return parts === '' ? 'none' : parts;
}

function entriesLine({ entries: { stored, kept, removed } }: IndexReport): string {
  const parts = counts([
    [stored, 'stored'],
    [kept, 'kept'],
    [removed, 'removed'],
  ]);
  return parts === '' ? 'nothing to do' : parts;
}

function skipLine({ why, count, examples }: SkipCount): [string, string] {
  const more = count > examples.length ? ', …' : '';
  return [`  ${count.toLocaleString('en-US')}`, `${why}: ${examples.map((path) => (path === '' ? '.' : path)).join(', ')}${more}`];
}

/** A warning for files that seem to contain secrets. */
export function secretWarning({ secrets }: IndexReport): string | undefined {
  if (secrets.length === 0) return undefined;
  const shown = secrets.slice(0, SECRETS_SHOWN).map(({ path, kinds }) => `${printable(path)} (${kinds.join(', ')})`);
  const more = secrets.length > SECRETS_SHOWN ? ', …' : '';
  return `${stderrColors.yellow('warning:')} ${files(secrets.length)} ${secrets.length === 1 ? 'seems' : 'seem'} to contain secrets: ${shown.join(', ')}${more}. Secrets are redacted unless memory.redactSecrets is never. To leave out a file, add it to .loreignore.`;
}

/** The index status of a project. */
export function formatIndexStatus(status: IndexStatus): string {
  const { pending, scope, updatedAt } = status;
  const waiting = counts([
    [pending.new, 'new'],
    [pending.changed, 'changed'],
    [pending.renamed, 'renamed'],
    [pending.removed, 'removed'],
    [pending.left, 'more'],
  ]);
  return facts([
    ['Project', scope === '' ? status.root : `${scope} of ${status.root}`],
    ['Namespace', status.namespace],
    ['Indexed', `${files(status.files)}, ${entries(status.entries)}`],
    ['Last change', updatedAt === undefined ? undefined : moment(Date.parse(updatedAt))],
    ['To do', waiting === '' ? 'nothing, it is up to date' : `${waiting} (run \`lore index\`)`],
  ]);
}
