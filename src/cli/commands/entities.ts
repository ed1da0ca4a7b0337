import { Args, Flags } from '@oclif/core';
import { ENTITY_KINDS } from '../../memory/entities/entity-kinds.ts';
import { EntitiesRequest, type EntityReport } from '../../memory/operations/relation-operations.ts';
import { number } from '../flags/flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { formatEntities } from '../print/relations.ts';
import { checkedRequest } from '../flags/request.ts';

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
    namespace: Flags.string({ char: 'n', description: 'Namespace to list.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    kind: Flags.string({ options: [...ENTITY_KINDS], description: 'Only this kind of name.' }),
    limit: number({ char: 'l', description: 'Number of names or entries, 1 to 100 (default 20).' }),
  };

  async run(): Promise<EntityReport> {
    const { args, flags } = await this.parse(Entities);
    const { namespace, kind, limit } = flags;
    const request = checkedRequest(EntitiesRequest, { name: args.name, namespace, kind, limit }, { name: 'name' });
    await using store = await this.openMemories(flags);
    const scope = await this.scopeFor(store.loaded, flags);
    const report = await store.memories.relations.entities({ ...request, ...scope }, { source: 'cli' });
    this.log(formatEntities(report));
    return report;
  }
}
