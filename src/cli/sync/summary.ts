import { amount, lineWidth, oneLine } from '../print/output.ts';
import { fit } from '../print/text-width.ts';
import type { Direction, SyncPlan, SyncStep } from './comparison.ts';
import type { ReportedConflict } from './conflicts.ts';
import type { SyncFigures } from './exchange.ts';

/** Steps of a dry run that are shown with their texts; `--json` has them all. */
const SHOWN = 100;

export type SyncVerb = 'push' | 'pull';

export interface NamespaceReport extends SyncFigures {
  readonly namespace: string;
  /** Dry runs only: the planned steps. */
  readonly steps?: SyncPlan['steps'];
  /** Edits that lost against a later one. */
  readonly conflicts: readonly ReportedConflict[];
  /** Time before which the receiving side no longer knows deletions, epoch milliseconds. */
  readonly tombstonesSince: number;
}

export interface SyncReport {
  readonly direction: SyncVerb;
  readonly uri: string;
  readonly dryRun: boolean;
  readonly namespaces: readonly NamespaceReport[];
}

const entries = (count: number): string => amount(count, 'entry', 'entries');

/** A line for each namespace with changes. */
export function formatReport({ direction, uri, dryRun, namespaces }: SyncReport): string {
  const lines = namespaces.flatMap((report) => {
    const parts = partsOf(report);
    const done = parts === '' ? [] : [`${report.namespace}: ${parts}.`];
    return [...done, ...conflictLines(report, { direction, dryRun }), ...remarksOf(report, { direction, uri })];
  });
  const place = direction === 'push' ? `to ${uri}` : `from ${uri}`;
  const isNothing = namespaces.every((report) => partsOf(report) === '');
  if (isNothing) return [`Nothing to ${direction} ${place}.`, ...lines].join('\n');
  const verb = { push: dryRun ? 'Would push' : 'Pushed', pull: dryRun ? 'Would pull' : 'Pulled' }[direction];
  return [`${verb} ${place}`, ...lines].join('\n');
}

function partsOf(report: SyncFigures): string {
  const parts = [
    [report.new, 'new'],
    [report.changed, 'changed'],
    [report.restored, 'restored from the archive'],
    [report.forgotten, 'forgotten'],
    [report.removed, 'deleted for good'],
    [report.putAway, 'archived, because the same text exists'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`);
  if (report.relations > 0) shown.push(amount(report.relations, 'relation', 'relations'));
  if (report.unrelated > 0) shown.push(`${amount(report.unrelated, 'relation', 'relations')} deleted`);
  if (report.tombstones > 0) shown.push(`${amount(report.tombstones, 'deletion', 'deletions')} recorded`);
  return shown.join(', ');
}

/** The edits that lost, each with the command that restores it. */
function conflictLines(
  { namespace, conflicts }: NamespaceReport,
  { direction, dryRun }: Pick<SyncReport, 'direction' | 'dryRun'>,
): string[] {
  if (conflicts.length === 0) return [];
  const [loser, winner] = direction === 'pull' ? ['here', 'there'] : ['there', 'here'];
  const were = conflicts.length === 1 ? 'was' : 'were';
  const head = `${namespace}: ${entries(conflicts.length)} ${were} edited on both sides; the later edit${dryRun ? ' would win' : ' won'}. Lost ${loser}:`;
  const lines = conflicts.slice(0, SHOWN).map(({ id, text, lostAt, wonAt, undo }) => {
    const what = text === undefined ? '' : `${JSON.stringify(text)}, `;
    return `  ${id}  ${what}edited ${loser} ${timeOf(lostAt)}, ${winner} ${timeOf(wonAt)}; \`${undo}\` restores it.`;
  });
  return [head, ...lines, ...(conflicts.length > SHOWN ? [`  … and ${entries(conflicts.length - SHOWN)} more.`] : [])];
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function remarksOf(
  { namespace, newer, tooLarge, mayBeDeleted, tombstonesSince }: NamespaceReport,
  { direction, uri }: Pick<SyncReport, 'direction' | 'uri'>,
): string[] {
  const receiver = direction === 'pull' ? 'here' : 'there';
  const back =
    direction === 'push'
      ? `newer there; \`lore pull ${uri}\` fetches newer entries`
      : `newer here; \`lore push ${uri}\` sends newer entries`;
  return [
    mayBeDeleted.length > 0
      ? `${namespace}: ${mayBeDeleted.length.toLocaleString('en-US')} of the new entries may have been deleted ${receiver} long ago: they are older than ${dayOf(tombstonesSince)}, and earlier deletions are no longer known ${receiver} (sync.tombstoneDays).`
      : '',
    newer > 0 ? `${namespace}: ${entries(newer)} ${newer === 1 ? 'is' : 'are'} ${back}.` : '',
    tooLarge.length > 0 ? `${namespace}: ${entries(tooLarge.length)} not sent, too large for a request there: ${tooLarge.join(', ')}.` : '',
  ].filter((line) => line !== '');
}

/** The steps of a plan, one per line, with the beginning of each text. */
export async function formatSteps({ from, to }: Direction, { namespace, steps, relations, unrelated }: SyncPlan): Promise<string> {
  const shown = steps.slice(0, SHOWN);
  const texts = new Map<string, string>();
  for (const [side, isEnd] of [
    [from, false],
    [to, true],
  ] as const) {
    const ids = shown.filter(({ action }) => (action === 'forgotten' || action === 'removed') === isEnd).map(({ id }) => id);
    const found = ids.length === 0 ? [] : (await side.entries({ namespace, ids })).entries;
    for (const { id, content } of found) texts.set(id, content);
  }
  const words = (action: SyncStep['action']): string => (action === 'put away' ? 'archived as duplicate' : action);
  const lines = shown.map(({ id, action }) => fit(`${id}  ${words(action)}  ${oneLine(texts.get(id) ?? '')}`.trimEnd(), lineWidth()));
  if (steps.length > SHOWN) lines.push(`… and ${entries(steps.length - SHOWN)} more.`);
  for (const { sourceId, type, targetId } of relations.slice(0, SHOWN)) lines.push(`${sourceId}  ${type}  ${targetId}`);
  for (const { sourceId, type, targetId, isThere } of unrelated.slice(0, SHOWN)) {
    if (isThere) lines.push(`${sourceId}  no longer ${type}  ${targetId}`);
  }
  return lines.join('\n');
}
