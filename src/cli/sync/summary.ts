import { amount, lineWidth, oneLine } from '../print/output.ts';
import { fit } from '../print/text-width.ts';
import type { Direction, SyncPlan } from './comparison.ts';
import type { SyncFigures } from './exchange.ts';

/** Steps of a dry run that are shown with their texts; `--json` has them all. */
const SHOWN = 100;

export type Way = 'push' | 'pull';

export interface NamespaceReport extends SyncFigures {
  readonly namespace: string;
  /** Of a dry run: what would be done, entry by entry. */
  readonly steps?: SyncPlan['steps'];
}

export interface SyncReport {
  readonly direction: Way;
  readonly uri: string;
  readonly dryRun: boolean;
  readonly namespaces: readonly NamespaceReport[];
}

const entries = (count: number): string => amount(count, 'entry', 'entries');

/** A line for each namespace in which there is something to say. */
export function formatReport({ direction, uri, dryRun, namespaces }: SyncReport): string {
  const lines = namespaces.flatMap((report) => {
    const parts = partsOf(report);
    const done = parts === '' ? [] : [`${report.namespace}: ${parts}.`];
    return [...done, ...remarksOf(report, { direction, uri })];
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
    [report.restored, 'back from the archive'],
    [report.forgotten, 'forgotten'],
    [report.putAway, 'put into the archive, as the same text is there'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count.toLocaleString('en-US')} ${what}`);
  if (report.relations > 0) shown.push(amount(report.relations, 'relation', 'relations'));
  return shown.join(', ');
}

function remarksOf({ namespace, newer, tooLarge }: NamespaceReport, { direction, uri }: Pick<SyncReport, 'direction' | 'uri'>): string[] {
  const back = direction === 'push' ? `newer there; \`lore pull ${uri}\` brings what is` : `newer here; \`lore push ${uri}\` sends what is`;
  return [
    newer > 0 ? `${namespace}: ${entries(newer)} ${newer === 1 ? 'is' : 'are'} ${back}.` : '',
    tooLarge.length > 0 ? `${namespace}: ${entries(tooLarge.length)} too large for a request there stayed: ${tooLarge.join(', ')}.` : '',
  ].filter((line) => line !== '');
}

/** The steps of a plan, one a line, with the beginning of each text. */
export async function formatSteps({ from, to }: Direction, { namespace, steps, relations }: SyncPlan): Promise<string> {
  const shown = steps.slice(0, SHOWN);
  const texts = new Map<string, string>();
  for (const [side, isForgotten] of [
    [from, false],
    [to, true],
  ] as const) {
    const ids = shown.filter(({ action }) => (action === 'forgotten') === isForgotten).map(({ id }) => id);
    const found = ids.length === 0 ? [] : (await side.entries({ namespace, ids })).entries;
    for (const { id, content } of found) texts.set(id, content);
  }
  const lines = shown.map(({ id, action }) => fit(`${id}  ${action}  ${oneLine(texts.get(id) ?? '')}`.trimEnd(), lineWidth()));
  if (steps.length > SHOWN) lines.push(`… and ${entries(steps.length - SHOWN)} more.`);
  for (const { sourceId, type, targetId } of relations.slice(0, SHOWN)) lines.push(`${sourceId}  ${type}  ${targetId}`);
  return lines.join('\n');
}
