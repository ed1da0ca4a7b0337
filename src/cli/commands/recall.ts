import { Args, Flags } from '@oclif/core';
import { RecallRequest, type SearchResults } from '../../memory/operations/operations.ts';
import { archiveHint, formatResults } from '../results.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest } from '../request.ts';
import { FIELD_NAMES, filterField, filterFlags, resultFields, resultFlags, searchFields, searchFlags } from '../search-flags.ts';

export default class Recall extends MemoryCommand {
  static override summary = 'Find what is remembered about something in one namespace.';
  static override description = 'Searches the namespace of the working directory unless --namespace names another.';
  static override examples = [
    '<%= config.bin %> recall "how do we deploy"',
    '<%= config.bin %> recall deploy --tag ops --limit 3 --mode keyword',
    '<%= config.bin %> recall "who owns billing" --min-score 0.3 --explain',
    '<%= config.bin %> recall "where is the log flushed" --kind file',
    '<%= config.bin %> recall "editor settings" --include-global --json',
  ];
  static override args = { query: Args.string({ required: true, ignoreStdin: true, description: 'A question or keywords.' }) };
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to search.' }),
    'include-global': Flags.boolean({ description: 'Add the entries of the global namespace.' }),
    ...searchFlags,
    ...filterFlags,
    ...resultFlags,
  };

  async run(): Promise<SearchResults> {
    const { args, flags } = await this.parse(Recall);
    const { namespace } = flags;
    const given = { query: args.query, namespace, includeGlobal: flags['include-global'] || undefined };
    const request = checkedRequest(
      RecallRequest,
      { ...given, ...searchFields(flags), ...filterField(flags), ...resultFields(flags) },
      FIELD_NAMES,
    );
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const found = await store.memories.recall({ ...request, namespace: here.namespace }, { source: 'cli' });
    this.log(formatResults(found));
    const hint = archiveHint(found);
    if (hint !== undefined) this.note(hint);
    if (found.results.length === 0) this.note(`Searched namespace ${here.namespace} (${here.why}); \`lore search\` looks in all of them.`);
    return found;
  }
}
