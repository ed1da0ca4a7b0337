import { Flags } from '@oclif/core';
import { LIST_SORTS } from '../../memory/entry.ts';
import { ListRequest, type EntryPage } from '../../memory/operations.ts';
import { formatPage } from '../entries.ts';
import { number, scopeFlags } from '../flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest } from '../request.ts';

export default class List extends MemoryCommand {
  static override summary = 'List entries, newest first.';
  static override description =
    'Lists the namespace of the working directory unless --namespace names another or --all asks for every one.';
  static override examples = [
    '<%= config.bin %> list --limit 20',
    '<%= config.bin %> list --all --tag deploy --sort=-importance',
    '<%= config.bin %> list --json | jq -r ".entries[].id"',
  ];
  static override flags = {
    namespace: Flags.string({ char: 'n', description: 'Namespace to list.', exclusive: ['all'] }),
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    ...scopeFlags,
    limit: number({ char: 'l', description: 'Entries wanted, 1 to 100 (default memory.defaultLimit).' }),
    offset: number({ description: 'Entries to skip (default 0).' }),
    sort: Flags.string({ options: [...LIST_SORTS], description: 'Order (default -createdAt, newest first).' }),
  };

  async run(): Promise<EntryPage> {
    const { flags } = await this.parse(List);
    const { tag: tags, container, limit, offset, sort, namespace, all } = flags;
    const given = { tags, container, limit, offset, sort, namespace, allNamespaces: all || undefined };
    const request = checkedRequest(ListRequest, given, { tags: '--tag' });
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const page = await store.memories.list(all ? request : { ...request, namespace: here.namespace }, { source: 'cli' });
    this.log(formatPage(page, { allNamespaces: all }));
    if (page.total === 0 && !all) this.note(`Listed namespace ${here.namespace} (${here.why}); --all lists every one.`);
    return page;
  }
}
