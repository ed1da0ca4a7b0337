import { Args, Flags } from '@oclif/core';
import { RELATION_TYPES } from '../../memory/relation.ts';
import { RelationsRequest, type RelationPage } from '../../memory/operations/relation-operations.ts';
import { number } from '../flags/flags.ts';
import { entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { formatRelations } from '../print/relations.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class Relations extends MemoryCommand {
  static override summary = 'List relations between entries, newest first.';
  static override description =
    'With an id those of that entry, else those of the namespace of the working directory unless --namespace names another or --all asks for every one.';
  static override examples = [
    '<%= config.bin %> relations 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
    '<%= config.bin %> relations --all --type supersedes --limit 20',
  ];
  static override args = { id: Args.string({ ignoreStdin: true, description: 'Id of an entry, or its first 8 or more characters.' }) };
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to list.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    type: Flags.string({ options: [...RELATION_TYPES], description: 'Only this type.' }),
    limit: number({ char: 'l', description: 'Relations wanted, 1 to 1000 (default 100).' }),
    offset: number({ description: 'Relations to skip (default 0).' }),
  };

  async run(): Promise<RelationPage> {
    const { args, flags } = await this.parse(Relations);
    const request = checkedRequest(RelationsRequest, fieldsOf(RelationsRequest, flags));
    await using store = await this.openMemories(flags);
    const id = args.id === undefined ? undefined : await entryNamed(args.id, store.memories);
    const scope = id === undefined ? await this.scopeFor(store.loaded, flags) : { id };
    const page = await store.memories.relations.list({ ...request, ...scope }, { source: 'cli' });
    this.log(formatRelations(page));
    return page;
  }
}
