import { Flags } from '@oclif/core';
import { ListRequest, type EntryPage } from '../../memory/operations/operations.ts';
import { formatPage } from '../print/entries.ts';
import { factFlags, scopeFlags } from '../flags/condition-flags.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';

export default class List extends MemoryCommand {
  static override summary = 'List entries, newest first.';
  static override description = 'Lists the namespace of the working directory unless you pass --namespace or --all.';
  static override examples = [
    '<%= config.bin %> list --limit 20',
    '<%= config.bin %> list --all --tag deploy --sort=-importance',
    '<%= config.bin %> list --priority high --since 2026-01-01',
    '<%= config.bin %> list --json | jq -r ".entries[].id"',
  ];
  static override flags = {
    ...fieldFlags(ListRequest, { namespace: { char: 'n', description: 'Namespace to list.', exclusive: ['all'] } }),
    all: Flags.boolean({ char: 'a', description: 'List every namespace.' }),
    ...scopeFlags,
    ...factFlags,
    ...fieldFlags(ListRequest, {
      limit: { char: 'l', description: 'Number of entries, 1 to 100 (default memory.defaultLimit).' },
      offset: 'Entries to skip (default 0).',
      sort: 'Order (default -createdAt, newest first).',
    }),
  };

  async run(): Promise<EntryPage> {
    const { flags } = await this.parse(List);
    const { namespace, all } = flags;
    const request = checkedRequest(ListRequest, { ...fieldsOf(ListRequest, flags), allNamespaces: all || undefined });
    await using store = await this.openMemories(flags);
    const here = await this.namespaceFor(store.loaded, namespace);
    const page = await store.memories.list(all ? request : { ...request, namespace: here.namespace }, { source: 'cli' });
    this.log(formatPage(page, { allNamespaces: all }));
    if (page.total === 0 && !all) this.note(`Listed namespace ${here.namespace} (${here.why}); --all lists every namespace.`);
    return page;
  }
}
