import { Args, Flags } from '@oclif/core';
import type { TagReport } from '../../../memory/operations/bulk-operations.ts';
import { RenamePathRequest, type RenameReport } from '../../../memory/operations/relation-operations.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { amount } from '../../print/output.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

const namesChanged = ({ dryRun, changed }: TagReport): RenameReport => ({ dryRun, changed: changed.map(({ id }) => id) });

export default class RenameEntity extends MemoryCommand {
  static override summary = 'Rename a name of entries, such as a file or folder that has moved.';
  static override description =
    'Changes the entities of entries, not their text. Renaming a folder includes everything in it. Uses the namespace of the working directory unless you pass --namespace or --all.';
  static override examples = [
    '<%= config.bin %> entities rename src/store/queue.ts src/store/write/queue.ts',
    '<%= config.bin %> entities rename lib src --all --dry-run',
    '<%= config.bin %> entities rename --exact @ken @ken-thompson',
  ];
  static override args = {
    from: Args.string({ required: true, ignoreStdin: true, description: 'Old path of the file or folder.' }),
    to: Args.string({ required: true, ignoreStdin: true, description: 'New path.' }),
  };
  static override flags = {
    ...fieldFlags(RenamePathRequest, {
      namespace: { char: 'n', description: 'Namespace to change.', exclusive: ['all'] },
      'dry-run': 'Only show which entries would change.',
    }),
    all: Flags.boolean({ char: 'a', description: 'Change every namespace.' }),
    exact: Flags.boolean({ description: 'Rename one name of any kind, such as a person or a package, and nothing in a folder.' }),
  };

  async run(): Promise<RenameReport> {
    const { args, flags } = await this.parse(RenameEntity);
    const given = { ...fieldsOf(RenamePathRequest, flags), ...args };
    const request = checkedRequest(RenamePathRequest, given, { from: 'from', to: 'to' });
    await using store = await this.openMemories(flags);
    const scope = await this.scopeFor(store.loaded, flags);
    const { relations } = store.memories;
    const { from, to, dryRun } = request;
    const exact = { name: from, remove: [from], add: [to], dryRun, ...scope };
    const report = flags.exact
      ? namesChanged(await relations.changeNames(exact, { source: 'cli' }))
      : await relations.renamePath({ ...request, ...scope }, { source: 'cli' });
    const changed = amount(report.changed.length, 'entry', 'entries');
    this.log(report.dryRun ? `${changed} would change.` : `Changed ${changed}.`);
    return report;
  }
}
