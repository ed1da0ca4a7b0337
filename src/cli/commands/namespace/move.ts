import { Flags } from '@oclif/core';
import { MoveRequest, type MoveReport } from '../../../memory/operations/namespace-operations.ts';
import { conditionFlags } from '../../flags/condition-flags.ts';
import { UsageError } from '../../failure.ts';
import { entriesArg, entriesNamed } from '../../named-entry.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { moveAfterConfirmation } from '../../print/moves.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

export default class NamespaceMove extends MemoryCommand {
  static override summary = 'Move entries to another namespace, by id or by a filter.';
  static override description =
    'A filter applies to the namespace of the working directory unless you pass --namespace or --all. ' +
    'If two entries have exactly the same text, the one in the target namespace stays and gets the tags and relations of both; the other is archived.';
  static override examples = [
    '<%= config.bin %> namespace move 01975a3e --to owner/repo',
    '<%= config.bin %> namespace move --tag frontend --to owner/web --dry-run',
    '<%= config.bin %> namespace move --namespace default --before 2026-01-01 --to owner/repo',
  ];
  static override args = { id: entriesArg };
  static override flags = {
    to: Flags.string({ required: true, helpValue: 'NAMESPACE', description: 'The target namespace.' }),
    ...conditionFlags,
    ...fieldFlags(MoveRequest, { 'dry-run': 'Only show what would move.' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask for confirmation.' }),
  };

  async run(): Promise<MoveReport> {
    const { args, flags } = await this.parse(NamespaceMove);
    const ids = args.id ?? [];
    const { to, dryRun: _asked, ...conditions } = fieldsOf(MoveRequest, flags);
    const isFiltered = flags.all || Object.keys(conditions).length > 0;
    if (ids.length > 0 && isFiltered) throw new UsageError('Select entries by id or by a filter, not both.');
    if (ids.length === 0 && !isFiltered)
      throw new UsageError('id is required, or a filter such as --tag.', 'See `lore namespace move --help`.');
    await using store = await this.openMemories(flags);
    const meant = ids.length > 0 ? { ids: await entriesNamed(ids, store.memories) } : conditions;
    const request = checkedRequest(MoveRequest, { ...meant, to }, { ids: 'id' });
    const scope = ids.length > 0 ? {} : await this.scopeFor(store.loaded, flags);
    return await moveAfterConfirmation(
      {
        apply: (dryRun) => store.memories.moves.move({ ...request, ...scope, dryRun }, { source: 'cli' }),
        question: `Move them to ${request.to}?`,
        dryRun: flags['dry-run'],
        yes: flags.yes,
      },
      { log: (text) => this.log(text), note: (text) => this.note(text) },
    );
  }
}
