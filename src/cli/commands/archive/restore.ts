import { Args } from '@oclif/core';
import { RestoreRequest, type RestoreReport } from '../../../memory/operations/lifecycle-operations.ts';
import { UsageError } from '../../failure.ts';
import { archivedNamed } from '../../named-entry.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount } from '../../print/output.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

export default class Restore extends MemoryCommand {
  static override summary = 'Restore entries from the archive.';
  static override description =
    'Selects entries by id, by the run that archived them (--run), or by the time they were archived (--since). Entries that cannot be restored are listed (exit code 1) and stay in the archive.';
  static override examples = [
    '<%= config.bin %> archive restore 01975a3e',
    '<%= config.bin %> archive restore --run 4b0d1f0a-6c1e-4f9a-8a43-0f4d1f6f0c11',
    '<%= config.bin %> archive restore --since 2026-01-31 --dry-run',
  ];
  static override args = {
    id: Args.string({
      multiple: true,
      ignoreStdin: true,
      description: 'Ids of archived entries, or the first 8 or more characters of each.',
    }),
  };
  static override flags = fieldFlags(RestoreRequest, {
    run: 'All entries archived by this run.',
    since: { helpValue: 'DATE', description: 'All entries archived since this time, ISO 8601 (UTC without a zone).' },
    namespace: { char: 'n', description: 'Only entries of this namespace (default all).' },
    'dry-run': 'Only show which entries would be restored.',
  });

  async run(): Promise<RestoreReport> {
    const { args, flags } = await this.parse(Restore);
    const names = args.id ?? [];
    const { run, since } = flags;
    const ways = [names.length > 0, run !== undefined, since !== undefined].filter(Boolean).length;
    if (ways !== 1)
      throw new UsageError(
        'Name the entries to restore by id, with --run or with --since; use only one of these.',
        '`lore archive` lists archived entries.',
      );
    await using store = await this.openMemories(flags);
    const ids = names.length === 0 ? undefined : await Promise.all(names.map((name) => archivedNamed(name, store.memories)));
    const request = checkedRequest(RestoreRequest, { ...fieldsOf(RestoreRequest, flags), ids }, { ids: 'id' });
    const report = await store.memories.lifecycle.restore(request, { source: 'cli' });
    for (const { id, reason } of report.skipped) this.note(`${id} ${report.dryRun ? 'would stay' : 'stays'} in the archive: ${reason}`);
    this.log(formatRestored(report));
    if (report.skipped.length > 0) process.exitCode = 1;
    return report;
  }
}

function formatRestored({ restored, dryRun, skipped }: RestoreReport): string {
  if (restored.length === 0) return skipped.length === 0 ? 'No archived entry matches.' : 'Nothing was restored.';
  const count = amount(restored.length, 'entry', 'entries');
  return [...restored, dryRun ? `${count} would be restored.` : `${count} restored.`].join('\n');
}
