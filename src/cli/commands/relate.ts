import { Args } from '@oclif/core';
import { RELATION_TYPES, type Relation } from '../../memory/relation.ts';
import { RelateRequest } from '../../memory/operations/relation-operations.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { relationFrom } from '../print/relation-words.ts';
import { checkedRequest } from '../flags/request.ts';

export default class Relate extends MemoryCommand {
  static override summary = 'Relate one entry to another.';
  static override description =
    'Read it as a sentence: the source supersedes the target. Searches leave out superseded entries. Two entries have at most one relation of each type in each direction; relating them again changes its strength.';
  static override examples = [
    '<%= config.bin %> relate 01975a3e supersedes 01975a3d',
    '<%= config.bin %> relate 01975a3e references 01975a3d --strength 0.5',
  ];
  static override args = {
    source: Args.string({ required: true, ignoreStdin: true, description: 'Id of the first entry.' }),
    type: Args.string({ required: true, ignoreStdin: true, options: [...RELATION_TYPES], description: 'Type of the relation.' }),
    target: Args.string({ required: true, ignoreStdin: true, description: 'Id of the second entry.' }),
  };
  static override flags = fieldFlags(RelateRequest, { strength: 'Strength of the relation, 0 to 1 (default 1).' });

  async run(): Promise<Relation> {
    const { args, flags } = await this.parse(Relate);
    const request = checkedRequest(RelateRequest.omit({ sourceId: true, targetId: true }), { type: args.type, strength: flags.strength });
    await using store = await this.openMemories(flags);
    const [sourceId, targetId] = [await entryNamed(args.source, store.memories), await entryNamed(args.target, store.memories)];
    const relation = await store.memories.relations.relate({ ...request, sourceId, targetId }, { source: 'cli' });
    this.log(`${relation.sourceId} ${relationFrom(relation, relation.sourceId)}`);
    return relation;
  }
}
