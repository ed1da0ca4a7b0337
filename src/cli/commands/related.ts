import { Flags } from '@oclif/core';
import { RELATION_TYPES } from '../../memory/relation.ts';
import { RelatedRequest, type RelatedEntry } from '../../memory/operations/relation-operations.ts';
import { number } from '../flags/flags.ts';
import { entryArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { formatRelated } from '../print/relations.ts';
import { checkedRequest } from '../flags/request.ts';

interface Found {
  readonly related: readonly RelatedEntry[];
}

export default class Related extends MemoryCommand {
  static override summary = 'Show entries related to one entry, nearest first.';
  static override examples = [
    '<%= config.bin %> related 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
    '<%= config.bin %> related 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11 --depth 2 --type references',
  ];
  static override args = { id: entryArg };
  static override flags = {
    type: Flags.string({ options: [...RELATION_TYPES], description: 'Only over relations of this type.' }),
    namespace: Flags.string({ char: 'n', description: 'Only over and to entries of this namespace (default all).' }),
    depth: number({ description: 'Relations between the entry and what is found, 1 to 4 (default 1).' }),
    limit: number({ char: 'l', description: 'Entries wanted, 1 to 100 (default 20).' }),
  };

  async run(): Promise<Found> {
    const { args, flags } = await this.parse(Related);
    const { type, namespace, depth, limit } = flags;
    const request = checkedRequest(RelatedRequest, { type, namespace, depth, limit });
    await using store = await this.openMemories(flags);
    const id = await entryNamed(args.id, store.memories);
    const related = await store.memories.relations.related(id, request, { source: 'cli' });
    this.log(formatRelated(related));
    return { related };
  }
}
