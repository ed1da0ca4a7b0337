import { Args, Flags } from '@oclif/core';
import { RenameNamespaceRequest, type MoveReport } from '../../../memory/operations/namespace-operations.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { emptyNamespaces, moveAfterConfirmation, staleNamespaceHint } from '../../print/moves.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest } from '../../flags/request.ts';

export default class NamespaceRename extends MemoryCommand {
  static override summary = 'Rename a namespace.';
  static override description =
    'Renames entries, archive, relations and history, and records it in the history of each entry. The new name must have no entries yet: ' +
    '`lore namespace merge` merges two. To undo it, rename back. Run the same command again to continue after an interruption. `global` cannot be renamed.';
  static override examples = [
    '<%= config.bin %> namespace rename notes-1a2b3c4d owner/notes',
    '<%= config.bin %> namespace rename old-name new-name --dry-run',
  ];
  static override args = {
    from: Args.string({ required: true, ignoreStdin: true, description: 'Current name of the namespace.' }),
    to: Args.string({ required: true, ignoreStdin: true, description: 'New name.' }),
  };
  static override flags = {
    ...fieldFlags(RenameNamespaceRequest, { 'dry-run': 'Only show what would move.' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask for confirmation.' }),
  };

  async run(): Promise<MoveReport> {
    const { args, flags } = await this.parse(NamespaceRename);
    const request = checkedRequest(RenameNamespaceRequest, args, { from: 'from', to: 'to' });
    await using store = await this.openMemories(flags);
    const { moves } = store.memories;
    await emptyNamespaces(store, [request.from]);
    const report = await moveAfterConfirmation(
      {
        apply: (dryRun) => moves.rename({ ...request, dryRun }, { source: 'cli' }),
        question: `Rename ${request.from} to ${request.to}?`,
        dryRun: flags['dry-run'],
        yes: flags.yes,
      },
      { log: (text) => this.log(text), note: (text) => this.note(text) },
    );
    const advice = report.dryRun ? undefined : await staleNamespaceHint(store.loaded, [request.from], request.to);
    if (advice !== undefined) this.note(advice);
    return report;
  }
}
