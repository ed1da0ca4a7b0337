import { ArchiveRequest, type ArchivePage, type ListedArchived } from '../../memory/operations/lifecycle-operations.ts';
import { stdoutColors as pc } from '../print/colors.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, moment, table } from '../print/output.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class Archive extends MemoryCommand {
  static override summary = 'List archived entries, latest first.';
  static override description =
    'Entries that compaction archived or that were forgotten by a filter. `lore archive restore` restores them.';
  static override examples = [
    '<%= config.bin %> archive',
    '<%= config.bin %> archive --reason "near duplicate" --limit 50',
    '<%= config.bin %> archive --json | jq -r ".entries[].run" | sort -u',
  ];
  static override flags = fieldFlags(ArchiveRequest, {
    namespace: { char: 'n', description: 'Only this namespace (default all).' },
    reason: 'Only entries archived for this reason.',
    run: 'Only entries archived by this run.',
    limit: { char: 'l', description: 'Number of entries, 1 to 100 (default 20).' },
    offset: 'Entries to skip (default 0).',
  });

  async run(): Promise<ArchivePage> {
    const { flags } = await this.parse(Archive);
    const request = checkedRequest(ArchiveRequest, fieldsOf(ArchiveRequest, flags));
    await using store = await this.openMemories(flags);
    const page = await store.memories.lifecycle.archived(request, { source: 'cli' });
    this.log(formatArchive(page));
    return page;
  }
}

function formatArchive({ entries, total, offset }: ArchivePage): string {
  if (entries.length === 0) return total === 0 ? 'The archive is empty.' : `Nothing from ${offset + 1} on; there are ${total}.`;
  const columns = [
    { title: 'ID' },
    { title: 'ARCHIVED' },
    { title: 'REASON' },
    { title: 'RUN', shrinkTo: 8 },
    { title: 'NAMESPACE', shrinkTo: 10 },
    { title: 'CONTENT', shrinkTo: 12 },
  ];
  const all = amount(total, 'entry', 'entries');
  const part = entries.length < total ? `${offset + 1} to ${offset + entries.length} of ${all}` : all;
  return `${table(columns, entries.map(cellsOf))}\n${pc.dim(part)}`;
}

function cellsOf({ entry, archivedAt, reason, run }: ListedArchived): string[] {
  return [entry.id, moment(archivedAt), reason, run, entry.namespace, entry.summary ?? entry.content];
}
