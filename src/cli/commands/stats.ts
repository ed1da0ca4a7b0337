import { stdoutColors as pc } from '../print/colors.ts';
import type { JobReport } from '../../memory/jobs.ts';
import type { Stats } from '../../memory/operations/operations.ts';
import { formatEmbedder } from '../print/entries.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, byteSize, facts, moment, table } from '../print/output.ts';

const TAGS_SHOWN = 10;

/** For a store that does not exist yet. */
const NO_STATS = {
  total: 0,
  namespaces: [],
  byPriority: {},
  bySource: {},
  tags: 0,
  topTags: [],
  perDay: [],
  vectors: [],
  pendingVectors: 0,
} as const satisfies Omit<Stats, 'embedder' | 'autoCapture'>;
type NoStats = typeof NO_STATS;

export default class StatsCommand extends MemoryCommand {
  static override summary = 'Count entries by namespace, tag, priority and source.';
  static override description = 'Does not create a store.';
  static override examples = ['<%= config.bin %> stats', '<%= config.bin %> stats --json | jq .perDay'];

  async run(): Promise<Stats | NoStats> {
    const { flags } = await this.parse(StatsCommand);
    const loaded = await this.settings(flags);
    await using store = await this.openStoreIfThere(loaded, flags);
    if (store === undefined) {
      this.noStore(loaded);
      return NO_STATS;
    }
    const stats = await store.memories.stats();
    this.log(formatStats(stats));
    return stats;
  }
}

function formatStats(stats: Stats): string {
  const { storage } = stats;
  const lastDays = stats.perDay.reduce((sum, { entries }) => sum + entries, 0);
  const overview = facts([
    [
      'Entries',
      `${stats.total.toLocaleString('en-US')}, ${lastDays.toLocaleString('en-US')} of them from the last ${stats.perDay.length} days`,
    ],
    ['Priority', counts(stats.byPriority)],
    ['Source', counts(stats.bySource)],
    ['Vectors', stats.vectors.map(({ embedder, entries }) => `${embedder} ${entries.toLocaleString('en-US')}`).join(', ')],
    ['Embedder', formatEmbedder(stats.embedder)],
    [
      'Compaction',
      stats.lastCompaction && `${moment(stats.lastCompaction.at)}, ${amount(stats.lastCompaction.archived, 'entry', 'entries')} archived`,
    ],
    [
      'Storage',
      storage &&
        `${byteSize(storage.bytes)} in ${amount(storage.fragments, 'fragment', 'fragments')}, ${storage.unindexedRows.toLocaleString('en-US')} rows not indexed yet`,
    ],
    ['Background', (stats.jobs ?? []).flatMap(jobText).join(', ')],
    [
      'Tags',
      stats.topTags
        .slice(0, TAGS_SHOWN)
        .map(({ tag, entries }) => `${tag} ${entries}`)
        .join(', '),
    ],
  ]);
  if (stats.namespaces.length === 0) return overview;
  const columns = [
    { title: 'NAMESPACE', shrinkTo: 12 },
    { title: 'ENTRIES', align: 'right' as const },
    { title: 'NEWEST' },
    { title: 'CONTAINERS', shrinkTo: 10 },
  ];
  const rows = stats.namespaces.map((each) => [
    each.namespace,
    each.entries.toLocaleString('en-US'),
    moment(each.newest),
    each.containers.join(', '),
  ]);
  return `${overview}\n\n${pc.bold('Namespaces')}\n${table(columns, rows)}`;
}

/** Running, waiting and failing work; nothing if there is none. */
function jobText({ name, state, done, total, waiting = 0, failedInARow }: JobReport): string[] {
  const said = [
    state === 'running' &&
      done !== undefined &&
      total !== undefined &&
      `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
    state === 'running' && done === undefined && 'running',
    waiting > 0 && `${waiting.toLocaleString('en-US')} waiting`,
    failedInARow > 0 && `failed ${amount(failedInARow, 'time', 'times')}`,
  ].filter((part) => part !== false);
  return said.length === 0 ? [] : [`${name} ${said.join(', ')}`];
}

function counts(byName: Readonly<Record<string, number>>): string {
  return Object.entries(byName)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
    .join(', ');
}
