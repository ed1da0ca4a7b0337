import { Args, Flags } from '@oclif/core';
import { LoreError } from '../../memory/errors.ts';
import { RecallRequest, SearchRequest, type MemoryOperations, type SearchResults } from '../../memory/operations/operations.ts';
import { archiveHint, formatResults } from '../print/results.ts';
import { MemoryCommand } from '../memory-command.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';
import { filterFlags, resultFlags, searchFlags } from '../flags/search-flags.ts';

export default class Recall extends MemoryCommand {
  static override summary = 'Find memories by a question or keywords.';
  static override description =
    'Searches the namespace of the working directory, or --namespace, and `global`; with --all every namespace.';
  static override examples = [
    '<%= config.bin %> recall "how do we deploy"',
    '<%= config.bin %> recall deploy --tag ops --limit 3 --mode keyword',
    '<%= config.bin %> recall "who owns billing" --min-score 0.3 --explain',
    '<%= config.bin %> recall "where is the log flushed" --kind file',
    '<%= config.bin %> recall "editor settings" --no-global --json',
    '<%= config.bin %> recall postgres timeout --all --after 2026-01-01',
  ];
  static override args = {
    query: Args.string({ required: true, multiple: true, ignoreStdin: true, description: 'A question or keywords; needs no quotes.' }),
  };
  static override flags = {
    ...fieldFlags(RecallRequest, { namespace: { char: 'n', description: 'Namespace to search.' } }),
    all: Flags.boolean({ char: 'a', description: 'Search every namespace.' }),
    global: Flags.boolean({
      aliases: ['include-global'],
      allowNo: true,
      exclusive: ['all'],
      description: 'Also search the namespace `global`, which applies to every project. Default true.',
    }),
    ...searchFlags,
    ...filterFlags,
    ...resultFlags,
  };

  async run(): Promise<SearchResults> {
    const { args, flags } = await this.parse(Recall);
    const { namespace, all } = flags;
    const query = args.query.join(' ');
    if (all) {
      const request = checkedRequest(SearchRequest, { ...fieldsOf(SearchRequest, flags), query }, { query: 'query' });
      await using store = await this.openMemories(flags);
      return this.tell(await store.memories.search(request, { source: 'cli' }));
    }
    const request = checkedRequest(RecallRequest, { ...fieldsOf(RecallRequest, flags), query }, { query: 'query' });
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const wanted = { ...request, namespace: here.namespace };
    // Undefined if neither form of the flag was given.
    const global = flags.global as boolean | undefined;
    const found = this.tell(await recallWithGlobal(store.memories, wanted, global));
    if (found.results.length === 0)
      this.note(
        `Searched namespace ${here.namespace} (${here.why})${global === false ? '' : ' and global'}; \`lore recall --all\` searches every namespace.`,
      );
    return found;
  }

  private tell(found: SearchResults): SearchResults {
    this.log(formatResults(found));
    const hint = archiveHint(found);
    if (hint !== undefined) this.note(hint);
    return found;
  }
}

/** Like the MCP server: with the global entries, unless the flag excludes them, or the key cannot see them and nobody asked for them. */
async function recallWithGlobal(memories: MemoryOperations, request: RecallRequest, global: boolean | undefined): Promise<SearchResults> {
  const options = { source: 'cli' } as const;
  if (global === false) return await memories.recall(request, options);
  try {
    return await memories.recall({ ...request, includeGlobal: true }, options);
  } catch (error) {
    if (global === true || !(error instanceof LoreError) || error.code !== 'forbidden') throw error;
    return await memories.recall(request, options);
  }
}
