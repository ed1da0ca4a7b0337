import type { Entry } from '../../memory/entry.ts';
import type { Relation } from '../../memory/relation.ts';
import { formatEntry } from '../print/entries.ts';
import { entryArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';

type Shown = Entry & { readonly relations: readonly Relation[] };

export default class Get extends MemoryCommand {
  static override summary = 'Show one entry with its relations.';
  static override examples = ['<%= config.bin %> get 01975a3e'];
  static override args = { id: entryArg };

  async run(): Promise<Shown> {
    const { args, flags } = await this.parse(Get);
    await using store = await this.openMemories(flags);
    const id = await entryNamed(args.id, store.memories);
    const entry = await store.memories.get(id, { source: 'cli' });
    const { relations } = await store.memories.relations.list({ id }, { source: 'cli' });
    this.log(formatEntry(entry, relations));
    return { ...entry, relations };
  }
}
