import { Args, Flags } from '@oclif/core';
import { MergeNamespacesRequest, type MoveReport } from '../../../memory/operations/namespace-operations.ts';
import { UsageError } from '../../failure.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { emptyNamespaces, moveAfterConfirmation, staleNamespaceHint } from '../../print/moves.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest } from '../../flags/request.ts';

export default class NamespaceMerge extends MemoryCommand {
  static override summary = 'Merge namespaces into the last one named.';
  static override description =
    'If two entries have exactly the same text, the one in the target namespace stays and gets the tags and relations of both; the other is archived. ' +
    'Similar entries are both kept. Run the same command again to continue after an interruption. `global` cannot be merged into another namespace.';
  static override examples = [
    '<%= config.bin %> namespace merge old-clone second-clone owner/repo',
    '<%= config.bin %> namespace merge notes-1a2b owner/notes --dry-run --json',
  ];
  static override args = {
    namespace: Args.string({ multiple: true, required: true, ignoreStdin: true, description: 'The namespaces to merge, then the target.' }),
  };
  static override flags = {
    ...fieldFlags(MergeNamespacesRequest, { 'dry-run': 'Only show what would move.' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask for confirmation.' }),
  };

  async run(): Promise<MoveReport> {
    const { args, flags } = await this.parse(NamespaceMerge);
    const [from, into] = [args.namespace.slice(0, -1), args.namespace.at(-1)];
    if (from.length === 0) throw new UsageError('Name at least two namespaces: the sources and the target.');
    const request = checkedRequest(MergeNamespacesRequest, { from, into }, { from: 'namespace', into: 'namespace' });
    await using store = await this.openMemories(flags);
    const { moves } = store.memories;
    for (const name of await emptyNamespaces(store, request.from)) this.note(`The namespace ${name} has no entries.`);
    const report = await moveAfterConfirmation(
      {
        apply: (dryRun) => moves.merge({ ...request, dryRun }, { source: 'cli' }),
        question: `Merge ${request.from.join(', ')} into ${request.into}?`,
        dryRun: flags['dry-run'],
        yes: flags.yes,
      },
      { log: (text) => this.log(text), note: (text) => this.note(text) },
    );
    const advice = report.dryRun ? undefined : await staleNamespaceHint(store.loaded, request.from, request.into);
    if (advice !== undefined) this.note(advice);
    return report;
  }
}
