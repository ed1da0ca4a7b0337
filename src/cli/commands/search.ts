import { Args, Flags } from '@oclif/core';
import { SEARCH_MODES } from '../../memory/entry.ts';
import { SearchRequest, type SearchResults } from '../../memory/operations.ts';
import { formatResults } from '../entries.ts';
import { number } from '../flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest } from '../request.ts';

const NAMES = {
  query: 'query',
  tags: '--tag',
  searchMode: '--mode',
  'filter.importance.min': '--min-importance',
  'filter.importance.max': '--max-importance',
  'filter.createdAfter': '--after',
  'filter.createdBefore': '--before',
};

export default class Search extends MemoryCommand {
  static override summary = 'Search all namespaces.';
  static override examples = [
    '<%= config.bin %> search "postgres timeout"',
    '<%= config.bin %> search migration --tag db --after 2026-01-01 --min-importance 0.5',
    '<%= config.bin %> search "release checklist" --json | jq -r ".results[].entry.content"',
  ];
  static override args = { query: Args.string({ required: true, ignoreStdin: true, description: 'A question or keywords.' }) };
  static override flags = {
    tag: Flags.string({
      char: 't',
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only entries with this tag; repeat for several.',
    }),
    namespace: Flags.string({ char: 'n', description: 'Only this namespace.' }),
    container: Flags.string({ description: 'Only this container.' }),
    limit: number({ char: 'l', description: 'Results wanted, 1 to 100 (default search.limit).' }),
    mode: Flags.string({ char: 'm', options: [...SEARCH_MODES], description: 'How to search (default search.defaultMode).' }),
    'min-importance': number({ description: 'Only entries at least this important, 0 to 1.' }),
    'max-importance': number({ description: 'Only entries at most this important, 0 to 1.' }),
    after: Flags.string({ helpValue: 'DATE', description: 'Only entries created after this moment, ISO 8601 (UTC without a zone).' }),
    before: Flags.string({ helpValue: 'DATE', description: 'Only entries created before this moment, ISO 8601 (UTC without a zone).' }),
  };

  async run(): Promise<SearchResults> {
    const { args, flags } = await this.parse(Search);
    const { tag: tags, namespace, container, limit, mode: searchMode, after: createdAfter, before: createdBefore } = flags;
    const importance = given({ min: flags['min-importance'], max: flags['max-importance'] });
    const filter = given({ importance, createdAfter, createdBefore });
    const request = checkedRequest(SearchRequest, { query: args.query, tags, namespace, container, limit, searchMode, filter }, NAMES);
    await using store = await this.openMemories(flags);
    const found = await store.memories.search(request, { source: 'cli' });
    this.log(formatResults(found));
    return found;
  }
}

/** The object, or undefined where no field of it was given. */
function given<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}
