import type { ArchiveReason } from '../../../memory/lifecycle.ts';
import { CompactRequest, type CompactReport } from '../../../memory/operations/lifecycle-operations.ts';
import { stdoutColors as pc } from '../../print/colors.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount, oneLine } from '../../print/output.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

export default class Compact extends MemoryCommand {
  static override summary = 'Archive entries that are old and unimportant, duplicate, or over the limit.';
  static override description =
    'Follows the settings compaction.*, as a server does on its schedule. Nothing is lost: `lore archive` lists the archived entries, `lore archive restore` restores them.';
  static override examples = [
    '<%= config.bin %> archive compact --dry-run',
    '<%= config.bin %> archive compact --namespace owner/repo --json',
  ];
  static override flags = fieldFlags(CompactRequest, {
    'dry-run': 'Only show which entries would be archived, and why.',
    namespace: { char: 'n', description: 'Only this namespace.' },
  });

  async run(): Promise<CompactReport> {
    const { flags } = await this.parse(Compact);
    const request = checkedRequest(CompactRequest, fieldsOf(CompactRequest, flags));
    await using store = await this.openMemories(flags);
    const report = await store.memories.lifecycle.compact(request, { source: 'cli' });
    this.log(formatCompaction(report));
    return report;
  }
}

function formatCompaction(report: CompactReport): string {
  const { dryRun, looked, archived, items, purged, run } = report;
  const reasons = Object.entries(report.byReason as Record<ArchiveReason, number>).flatMap(([reason, count]) =>
    count > 0 ? [`${count.toLocaleString('en-US')} ${reason}`] : [],
  );
  const verb = dryRun ? 'would go' : 'went';
  const lines = items.map(({ id, reason, why, preview }) => `${id}  ${reason}  ${oneLine(preview)}\n  ${pc.dim(oneLine(why))}`);
  const summary = `${archived.toLocaleString('en-US')} of ${amount(looked, 'entry', 'entries')} ${verb} to the archive`;
  return [
    ...lines,
    ...(archived > items.length ? [`and ${(archived - items.length).toLocaleString('en-US')} more`] : []),
    `${summary}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}.`,
    ...(purged > 0 ? [`${amount(purged, 'entry', 'entries')} ${verb} from the archive for good.`] : []),
    ...(dryRun || archived === 0 ? [] : [`\`lore archive restore --run ${run}\` restores them.`]),
  ].join('\n');
}
