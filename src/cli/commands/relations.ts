import { Args, Flags } from '@oclif/core';
import {
  GraphRequest,
  RelatedRequest,
  RelationsRequest,
  type Graph,
  type RelatedEntry,
  type RelationPage,
} from '../../memory/operations/relation-operations.ts';
import { UsageError } from '../failure.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { entryNamed } from '../named-entry.ts';
import { MemoryCommand, type StoreFlags } from '../memory-command.ts';
import { dotOf, formatGraph, formatRelated, formatRelations } from '../print/relations.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

interface Related {
  readonly related: readonly RelatedEntry[];
}

interface RelationFlags extends StoreFlags {
  readonly [name: string]: unknown;
  readonly namespace?: string | undefined;
  readonly all: boolean;
  readonly dot?: boolean | undefined;
}

export default class Relations extends MemoryCommand {
  static override summary = 'Show how entries are related: as a list, or as a graph.';
  static override description =
    'Lists relations, newest first: those of one entry, or of the namespace of the working directory unless you pass --namespace or --all. --entries lists the entries related to one entry, nearest first. --graph shows entries with their relations: around one entry, or those with most relations.';
  static override examples = [
    '<%= config.bin %> relations 01975a3e',
    '<%= config.bin %> relations --all --type supersedes --limit 20',
    '<%= config.bin %> relations 01975a3e --entries --depth 2',
    '<%= config.bin %> relations --graph --dot | dot -Tsvg > graph.svg',
  ];
  static override args = { id: Args.string({ ignoreStdin: true, description: 'Id of an entry, or its first 8 or more characters.' }) };
  static override flags = {
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    ...fieldFlags(RelationsRequest, {
      namespace: { char: 'n', description: 'Namespace to list.', exclusive: ['all'] },
      type: 'Only relations of this type.',
      limit: {
        char: 'l',
        description:
          'Number of relations, 1 to 1000 (default 100). With --entries: entries, 1 to 100 (default 20). With --graph: entries, 1 to 2000 (default 500).',
      },
      offset: { description: 'Relations to skip (default 0).', exclusive: ['entries', 'graph'] },
    }),
    entries: Flags.boolean({ description: 'List the entries that are related to this one, nearest first.', exclusive: ['graph'] }),
    graph: Flags.boolean({ description: 'Show the entries with their relations.' }),
    ...fieldFlags(GraphRequest, {
      depth: 'Maximum distance in relations, 1 to 4 (default 1; with --graph 2).',
      'min-strength': { description: 'Only relations at least this strong, 0 to 1 (default 0).', dependsOn: ['graph'] },
      seed: { hidden: true, dependsOn: ['graph'], description: 'The entry in the centre.' },
    }),
    dot: Flags.boolean({ description: 'Print the graph for Graphviz.', dependsOn: ['graph'] }),
  };

  async run(): Promise<RelationPage | Related | Graph> {
    const { args, flags } = await this.parse(Relations);
    const named = args.id ?? flags.seed;
    if (flags.entries) return await this.related(named, flags);
    if (flags.graph) return await this.graph(named, flags);
    if (flags.depth !== undefined) throw new UsageError('--depth needs --entries or --graph.');
    const request = checkedRequest(RelationsRequest, fieldsOf(RelationsRequest, flags));
    await using store = await this.openMemories(flags);
    const id = named === undefined ? undefined : await entryNamed(named, store.memories);
    const scope = id === undefined ? await this.scopeFor(store.loaded, flags) : { id };
    const page = await store.memories.relations.list({ ...request, ...scope }, { source: 'cli' });
    this.log(formatRelations(page));
    return page;
  }

  private async related(named: string | undefined, flags: RelationFlags): Promise<Related> {
    if (named === undefined) throw new UsageError('Name the entry: `lore relations ID --entries`.');
    const request = checkedRequest(RelatedRequest, fieldsOf(RelatedRequest, flags));
    await using store = await this.openMemories(flags);
    const id = await entryNamed(named, store.memories);
    const related = await store.memories.relations.related(id, request, { source: 'cli' });
    this.log(formatRelated(related));
    return { related };
  }

  private async graph(named: string | undefined, flags: RelationFlags): Promise<Graph> {
    const { seed: _seed, ...given } = fieldsOf(GraphRequest, flags);
    const request = checkedRequest(GraphRequest, given);
    await using store = await this.openMemories(flags);
    const scope = named === undefined ? await this.scopeFor(store.loaded, flags) : { seed: await entryNamed(named, store.memories) };
    const graph = await store.memories.relations.graph({ ...request, ...scope }, { source: 'cli' });
    this.log(flags.dot === true ? dotOf(graph) : formatGraph(graph));
    return graph;
  }
}
