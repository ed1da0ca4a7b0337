import { Flags } from '@oclif/core';
import type { EntryHistory } from '../../memory/operations/lifecycle-operations.ts';
import { formatHistory } from '../print/entry-history.ts';
import { entryArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';

export default class HistoryCommand extends MemoryCommand {
  static override summary = 'Show the versions of an entry, or undo its last change.';
  static override description = 'An undo is a change too: a second undo undoes the first. The history is deleted with its entry.';
  static override examples = ['<%= config.bin %> history 01975a3e', '<%= config.bin %> history 01975a3e --undo'];
  static override args = { id: entryArg };
  static override flags = { undo: Flags.boolean({ description: 'Undo the last change, then show the history.' }) };

  async run(): Promise<EntryHistory> {
    const { args, flags } = await this.parse(HistoryCommand);
    await using store = await this.openMemories(flags);
    const id = await entryNamed(args.id, store.memories);
    if (flags.undo) {
      await store.memories.lifecycle.undo(id, { source: 'cli' });
      this.note('The last change is undone.');
    }
    const history = await store.memories.lifecycle.history(id, { source: 'cli' });
    this.log(formatHistory(history));
    return history;
  }
}
