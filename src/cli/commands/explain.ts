import { Args } from '@oclif/core';
import { ExplainRequest, type ExplainReport } from '../../memory/operations/operations.ts';
import { formatWhy } from '../print/explanation.ts';
import { entryArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';
import { searchFlags, wideFilterFlags } from '../flags/search-flags.ts';

export default class Explain extends MemoryCommand {
  static override summary = 'Explain why a search finds an entry, or why not.';
  static override description =
    'Takes the flags of `recall --all`: pass those of the search in question. Searches all namespaces unless you pass --namespace.';
  static override examples = [
    '<%= config.bin %> explain 01975a3e how do we deploy',
    '<%= config.bin %> explain 01975a3e deploy --tag ops --limit 3',
  ];
  static override args = {
    id: entryArg,
    query: Args.string({ required: true, multiple: true, ignoreStdin: true, description: 'The query of the search.' }),
  };
  static override flags = { ...searchFlags, ...wideFilterFlags };

  async run(): Promise<ExplainReport> {
    const { args, flags } = await this.parse(Explain);
    const given = { ...fieldsOf(ExplainRequest, flags), query: args.query.join(' ') };
    const request = checkedRequest(ExplainRequest.omit({ id: true }), given, { query: 'query' });
    await using store = await this.openMemories(flags);
    const id = await entryNamed(args.id, store.memories);
    const report = await store.memories.explain({ ...request, id }, { source: 'cli' });
    if (!this.jsonEnabled()) this.log(formatWhy(report, (await store.memories.get(report.id, { source: 'cli' })).content));
    return report;
  }
}
