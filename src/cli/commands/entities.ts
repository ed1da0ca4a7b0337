import { Args, Flags } from '@oclif/core';
import { ENTITY_KINDS } from '../../memory/entities/entity-kinds.ts';
import { EntitiesRequest, type EntityReport } from '../../memory/operations/relation-operations.ts';
import { number } from '../flags/flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { formatEntities } from '../print/relations.ts';
import { checkedRequest } from '../flags/request.ts';

export default class Entities extends MemoryCommand {
  static override summary = 'Show the files, functions, packages, addresses, errors and people that entries name.';
  static override description =
    'With a name the entries that name it, however they write it; else what is named most. Looks at the namespace of the working directory unless --namespace names another or --all asks for every one.';
  static override examples = [
    '<%= config.bin %> entities --kind path',
    '<%= config.bin %> entities src/store/write/write-queue.ts',
    '<%= config.bin %> entities --all "parse()" --json',
  ];
  static override args = { name: Args.string({ ignoreStdin: true, description: 'What is named.' }) };
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to look at.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'Look at every namespace.' }),
    kind: Flags.string({ options: [...ENTITY_KINDS], description: 'Only this kind of name.' }),
    limit: number({ char: 'l', description: 'Names or entries wanted, 1 to 100 (default 20).' }),
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
