import { Args, Flags } from '@oclif/core';
import { EntitiesRequest, type EntityReport } from '../../memory/operations/relation-operations.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { formatEntities } from '../print/relations.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class Entities extends MemoryCommand {
  static override summary = 'Show the files, functions, packages, errors and people that entries name.';
  static override description =
    'With a name, lists the entries that contain it in any spelling; without one, the most frequent names. Uses the namespace of the working directory unless you pass --namespace or --all.';
  static override examples = [
    '<%= config.bin %> entities --kind path',
    '<%= config.bin %> entities src/store/write/write-queue.ts',
    '<%= config.bin %> entities --all "parse()" --json',
  ];
  static override args = { name: Args.string({ ignoreStdin: true, description: 'A name in entries.' }) };
  static override flags = {
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    ...fieldFlags(EntitiesRequest, {
      namespace: { char: 'n', description: 'Namespace to list.', exclusive: ['all'] },
      kind: 'Only this kind of name.',
      limit: { char: 'l', description: 'Number of names or entries, 1 to 100 (default 20).' },
    }),
  };

  async run(): Promise<EntityReport> {
    const { args, flags } = await this.parse(Entities);
    const request = checkedRequest(EntitiesRequest, { ...fieldsOf(EntitiesRequest, flags), name: args.name }, { name: 'name' });
    await using store = await this.openMemories(flags);
    const scope = await this.scopeFor(store.loaded, flags);
    const report = await store.memories.relations.entities({ ...request, ...scope }, { source: 'cli' });
    this.log(formatEntities(report));
    return report;
  }
}
