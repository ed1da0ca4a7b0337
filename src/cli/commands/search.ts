import { Args } from '@oclif/core';
import { SearchRequest, type SearchResults } from '../../memory/operations/operations.ts';
import { archiveHint, formatResults } from '../print/results.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';
import { resultFlags, searchFlags, wideFilterFlags } from '../flags/search-flags.ts';

export default class Search extends MemoryCommand {
  static override summary = 'Find memories in all namespaces.';
  static override examples = [
    '<%= config.bin %> search "postgres timeout"',
    '<%= config.bin %> search migration --tag db --after 2026-01-01 --min-importance 0.5',
    '<%= config.bin %> search "flaky tests" --collapse --explain',
    '<%= config.bin %> search "release checklist" --json | jq -r ".results[].entry.content"',
  ];
  static override args = {
    query: Args.string({ required: true, multiple: true, ignoreStdin: true, description: 'A question or keywords; needs no quotes.' }),
  };
  static override flags = { ...searchFlags, ...wideFilterFlags, ...resultFlags };

  async run(): Promise<SearchResults> {
    const { args, flags } = await this.parse(Search);
    const given = { ...fieldsOf(SearchRequest, flags), query: args.query.join(' ') };
    const request = checkedRequest(SearchRequest, given, { query: 'query' });
    await using store = await this.openMemories(flags);
    const found = await store.memories.search(request, { source: 'cli' });
    this.log(formatResults(found));
    const hint = archiveHint(found);
    if (hint !== undefined) this.note(hint);
    return found;
  }
}
