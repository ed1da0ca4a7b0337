import { MigrateRequest, type MemoryOperations, type MigrationReport } from '../../memory/operations/operations.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, facts } from '../print/output.ts';
import { statusLine } from '../print/progress.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

const WATCH_MS = 1_000;

export default class Migrate extends MemoryCommand {
  static override summary = 'Re-embed entries of another model.';
  static override description =
    'Run it after a change of embeddings.provider or embeddings.model. A server does this automatically in the background. You can stop it and run it again.';
  static override examples = ['<%= config.bin %> migrate --dry-run', '<%= config.bin %> migrate --namespace owner/repo'];
  static override flags = fieldFlags(MigrateRequest, {
    'dry-run': 'Only show what would change.',
    namespace: { char: 'n', description: 'Only this namespace.' },
  });

  async run(): Promise<MigrationReport> {
    const { flags } = await this.parse(Migrate);
    const request = checkedRequest(MigrateRequest, fieldsOf(MigrateRequest, flags));
    await using store = await this.openMemories(flags);
    const report = await untilDone(store.memories, request);
    this.log(formatMigration(report));
    return report;
  }
}

/** A call returns `running` after a while; the next call joins the same run. Shows progress on a terminal. */
async function untilDone(memories: MemoryOperations, request: MigrateRequest): Promise<MigrationReport> {
  const status = statusLine();
  const watch = setInterval(() => {
    memories.health().then(
      ({ maintenance }) => status.show(maintenance),
      () => undefined,
    );
  }, WATCH_MS);
  try {
    const first = await memories.migrate(request, { source: 'cli' });
    if (first.status !== 'running') return first;
    while ((await memories.migrate(request, { source: 'cli' })).status === 'running');
    return { ...first, status: 'done', migrated: first.stale };
  } finally {
    clearInterval(watch);
    status.clear();
  }
}

function formatMigration(report: MigrationReport): string {
  return facts([
    ['Status', report.status],
    ['Target', report.target],
    ['Entries', report.total.toLocaleString('en-US')],
    ['Stale', amount(report.stale, 'entry without a vector of the target', 'entries without a vector of the target')],
    ['Migrated', report.dryRun ? undefined : report.migrated.toLocaleString('en-US')],
    ['From', report.from.map(({ embedder, entries }) => `${embedder} ${entries.toLocaleString('en-US')}`).join(', ')],
  ]);
}
