import { Args } from '@oclif/core';
import { RELATION_TYPES } from '../../memory/relation.ts';
import { UnrelateRequest } from '../../memory/operations/relation-operations.ts';
import { entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest } from '../flags/request.ts';

export default class Unrelate extends MemoryCommand {
  static override summary = 'Delete a relation between two entries.';
  static override description = 'Both entries stay. An entry that is no longer superseded is found again.';
  static override examples = [
    '<%= config.bin %> unrelate 01975a3e supersedes 01975a3d',
    '<%= config.bin %> unrelate 01975a3e similar 01975a3d --json',
  ];
  static override args = {
    source: Args.string({ required: true, ignoreStdin: true, description: 'Id of the first entry.' }),
    type: Args.string({ required: true, ignoreStdin: true, options: [...RELATION_TYPES], description: 'Type of the relation.' }),
    target: Args.string({ required: true, ignoreStdin: true, description: 'Id of the second entry.' }),
  };

  async run(): Promise<UnrelateRequest> {
    const { args, flags } = await this.parse(Unrelate);
    await using store = await this.openMemories(flags);
    const [sourceId, targetId] = [await entryNamed(args.source, store.memories), await entryNamed(args.target, store.memories)];
    const request = checkedRequest(UnrelateRequest, { sourceId, type: args.type, targetId });
    await store.memories.relations.unrelate(request, { source: 'cli' });
    this.log('Deleted the relation.');
    return request;
  }
}
