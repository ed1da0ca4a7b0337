import type { MoveReport } from '../../memory/operations/namespace-operations.ts';
import { LoreError } from '../../memory/errors.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { suggestion } from '../../config/faults.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { amount } from './output.ts';
import { canAsk, confirm } from '../prompt.ts';

interface MoveWork {
  /** Runs the move, or with `true` a dry run. */
  readonly apply: (dryRun: boolean) => Promise<MoveReport>;
  /** Such as `Move them?`. */
  readonly question: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

interface MoveTalk {
  readonly log: (text: string) => void;
  readonly note: (text: string) => void;
}

/** Shows what would move, asks for confirmation unless --yes is set, and moves. Throws `UsageError` without a terminal. */
export async function moveAfterConfirmation({ apply, question, dryRun, yes }: MoveWork, { log, note }: MoveTalk): Promise<MoveReport> {
  if (dryRun || !yes) {
    const preview = await apply(true);
    if (dryRun || isNothing(preview)) {
      log(formatMove(preview));
      return preview;
    }
    process.stderr.write(`${formatMove(preview)}\n`);
    if (!canAsk()) throw new UsageError('Cannot ask for confirmation: no terminal.', 'Use --yes to continue without asking.');
    if (!(await confirm(question, false))) {
      note('Nothing was changed.');
      return preview;
    }
  }
  const report = await apply(false);
  log(formatMove(report));
  if (report.run !== undefined) note(`\`lore archive --run ${report.run}\` lists the archived copies.`);
  return report;
}

const isNothing = ({ matches, archived }: MoveReport): boolean => matches + archived === 0;

/** One sentence for each count that is not 0. */
function formatMove(report: MoveReport): string {
  const { dryRun, to, moved, merged, archived, left } = report;
  const entries = (count: number): string => amount(count, 'entry', 'entries');
  const lines = [
    isNothing(report) ? 'No entry to move.' : `${entries(moved)} ${dryRun ? 'would move' : 'moved'} to ${to}.`,
    merged > 0
      ? `${entries(merged)} with the same text as an entry there ${dryRun ? 'would be' : 'was'} merged into it, with the tags and relations of both.`
      : '',
    archived > 0 ? `${entries(archived)} in the archive ${dryRun ? 'would move' : 'moved'} too.` : '',
    left > 0 ? `${entries(left)} not moved: changed or deleted in the meantime.` : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** The given namespaces without entries and archive, such as those emptied by an earlier run. Rejects with `not_found` if all are empty. */
export async function emptyNamespaces({ memories }: Pick<Connection, 'memories'>, names: readonly string[]): Promise<string[]> {
  const known = (await memories.namespaces()).map(({ namespace }) => namespace);
  const empty: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const { total } = await memories.lifecycle.archived({ namespace: name, limit: 1 });
    if (total === 0) empty.push(name);
  }
  const [first] = empty;
  if (first === undefined || empty.length < names.length) return empty;
  throw new LoreError('not_found', `There is no namespace ${JSON.stringify(first)}.${suggestion(first, known)}`, {
    hint: '`lore namespace list` shows them.',
  });
}

/** A hint if this folder still saves into a namespace that was emptied, or undefined. */
export async function staleNamespaceHint(loaded: LoadedConfig, emptied: readonly string[], to: string): Promise<string | undefined> {
  const { detectNamespace } = await import('../../config/namespace.ts');
  const { namespace, why } = await detectNamespace({ cwd: process.cwd(), configured: loaded.config.memory.namespace });
  if (!emptied.includes(namespace)) return undefined;
  const change =
    loaded.config.memory.namespace === undefined
      ? `\`lore init --namespace ${JSON.stringify(to)}\``
      : `memory.namespace (\`lore config --sources\`)`;
  return `This folder still saves into ${namespace} (${why}); change that with ${change}.`;
}
