import { Args, Flags } from '@oclif/core';
import { SEARCH_MODES } from '../../memory/entry.ts';
import { RecallRequest, type SearchResults } from '../../memory/operations.ts';
import { formatResults } from '../entries.ts';
import { number } from '../flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest } from '../request.ts';

export default class Recall extends MemoryCommand {
  static override summary = 'Find what is remembered about something in one namespace.';
  static override description = 'Searches the namespace of the working directory unless --namespace names another.';
  static override examples = [
    '<%= config.bin %> recall "how do we deploy"',
    '<%= config.bin %> recall deploy --tag ops --limit 3 --mode keyword',
    '<%= config.bin %> recall "editor settings" --include-global --json',
  ];
  static override args = { query: Args.string({ required: true, ignoreStdin: true, description: 'A question or keywords.' }) };
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to search.' }),
    'include-global': Flags.boolean({ description: 'Add the entries of the global namespace.' }),
    tag: Flags.string({
      char: 't',
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only entries with this tag; repeat for several.',
    }),
    container: Flags.string({ description: 'Only this container.' }),
    limit: number({ char: 'l', description: 'Results wanted, 1 to 100 (default search.limit).' }),
    mode: Flags.string({ char: 'm', options: [...SEARCH_MODES], description: 'How to search (default search.defaultMode).' }),
  };

  async run(): Promise<SearchResults> {
    const { args, flags } = await this.parse(Recall);
    const { namespace, container, limit, tag: tags, mode: searchMode } = flags;
    const given = { query: args.query, namespace, container, limit, tags, searchMode, includeGlobal: flags['include-global'] || undefined };
    const request = checkedRequest(RecallRequest, given, { query: 'query', tags: '--tag', searchMode: '--mode' });
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const found = await store.memories.recall({ ...request, namespace: here.namespace }, { source: 'cli' });
    this.log(formatResults(found));
    if (found.results.length === 0) this.note(`Searched namespace ${here.namespace} (${here.why}); \`lore search\` looks in all of them.`);
    return found;
  }
}
