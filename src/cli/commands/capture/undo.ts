import { Args } from '@oclif/core';
import { CaptureUndoRequest, type CaptureUndoReport } from '../../../memory/operations/capture-operations.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount } from '../../print/output.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

export default class CaptureUndoCommand extends MemoryCommand {
  static override summary = 'Archive what one session captured.';
  static override description =
    'Archives every entry of the session, including events waiting to be processed; `lore archive restore` restores them. Later events of the session are captured again.';
  static override examples = [
    '<%= config.bin %> capture undo 0b5f3f0e-7d0c-4f6e --dry-run',
    '<%= config.bin %> capture undo 0b5f3f0e-7d0c-4f6e --permanently --json',
  ];
  static override args = {
    session: Args.string({ required: true, description: 'Id of the session, from `lore capture sessions`.' }),
  };
  static override flags = fieldFlags(CaptureUndoRequest, {
    namespace: { char: 'n', description: 'Only entries in this namespace (default all).' },
    permanently: { aliases: ['permanent'], description: 'Delete for good instead of archiving.' },
    'dry-run': 'Only show how many entries would be archived.',
  });

  async run(): Promise<CaptureUndoReport> {
    const { args, flags } = await this.parse(CaptureUndoCommand);
    const given = { ...fieldsOf(CaptureUndoRequest, flags), session: args.session };
    const request = checkedRequest(CaptureUndoRequest, given, { session: 'SESSION' });
    await using store = await this.openMemories(flags);
    const report = await store.memories.capture.undo(request, { source: 'cli' });
    this.log(formatUndo(report));
    return report;
  }
}

function formatUndo({ session, entries, dryRun, permanent, run }: CaptureUndoReport): string {
  if (entries === 0) return `No captured entries of the session ${JSON.stringify(session)}.`;
  const count = amount(entries, 'entry', 'entries');
  if (permanent) return `${count} ${dryRun ? 'would be' : 'were'} deleted for good.`;
  if (run === undefined) return `${count} would be archived.`;
  return `${count} archived.\n\`lore archive restore --run ${run}\` restores them.`;
}
