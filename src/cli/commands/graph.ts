import { Flags } from '@oclif/core';
import { RELATION_TYPES } from '../../memory/relation.ts';
import { GraphRequest, type Graph } from '../../memory/operations/relation-operations.ts';
import { number } from '../flags/flags.ts';
import { entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { dotOf, formatGraph } from '../print/relations.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class GraphCommand extends MemoryCommand {
  static override summary = 'Show entries and their relations as a graph.';
  static override description =
    'Around --seed, or the entries with most relations. Looks at the namespace of the working directory unless --namespace names another or --all asks for every one.';
  static override examples = [
    '<%= config.bin %> graph --all --limit 50',
    '<%= config.bin %> graph --seed 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11 --depth 3',
    '<%= config.bin %> graph --dot | dot -Tsvg > graph.svg',
  ];
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to look at.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'Look at every namespace.' }),
    seed: Flags.string({ helpValue: 'ID', description: 'The entry in the middle; of any namespace.' }),
    depth: number({ description: 'How far from the seed, 1 to 4 (default 2).' }),
    type: Flags.string({ options: [...RELATION_TYPES], description: 'Only this type of relation.' }),
    'min-strength': number({ description: 'Only relations at least this strong, 0 to 1 (default 0).' }),
    limit: number({ char: 'l', description: 'Entries wanted, 1 to 2000 (default 500).' }),
    dot: Flags.boolean({ description: 'Print it for Graphviz.' }),
  };

  async run(): Promise<Graph> {
    const { flags } = await this.parse(GraphCommand);
    const { seed: named, ...given } = fieldsOf(GraphRequest, flags);
    const request = checkedRequest(GraphRequest, given);
    await using store = await this.openMemories(flags);
    const scope = typeof named === 'string' ? { seed: await entryNamed(named, store.memories) } : await this.scopeFor(store.loaded, flags);
    const graph = await store.memories.relations.graph({ ...request, ...scope }, { source: 'cli' });
    this.log(flags.dot ? dotOf(graph) : formatGraph(graph));
    return graph;
  }
}
