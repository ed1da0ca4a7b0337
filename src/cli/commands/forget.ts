import { Args, Flags } from '@oclif/core';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { MemoryOperations } from '../../memory/operations.ts';
import { UsageError } from '../failure.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, oneLine } from '../output.ts';
import { canAsk, confirm } from '../prompt.ts';
import { entryId } from '../request.ts';
import { fit } from '../text-width.ts';

interface Forgotten {
  readonly forgotten: readonly string[];
  /** Ids that name no entry. */
  readonly unknown: readonly string[];
}

export default class Forget extends MemoryCommand {
  static override summary = 'Remove entries for good.';
  static override description =
    'Shows what would go and asks first; --yes does not ask. An id that names no entry is reported (exit code 1) and the others still go.';
  static override examples = [
    '<%= config.bin %> forget 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11',
    '<%= config.bin %> list --tag scratch --json | jq -r ".entries[].id" | xargs <%= config.bin %> forget --yes',
  ];
  static override args = { id: Args.string({ required: true, multiple: true, ignoreStdin: true, description: 'Ids of the entries.' }) };
  static override flags = { yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }) };

  async run(): Promise<Forgotten> {
    const { args, flags } = await this.parse(Forget);
    if (!flags.yes && !canAsk()) throw new UsageError('Nobody is there to confirm.', 'Add --yes to remove without asking.');
    await using store = await this.openMemories(flags);
    const { found, unknown } = await findEntries(store.memories, args.id);
    if (found.length > 0 && !flags.yes && !(await this.confirmed(found))) {
      this.note('Nothing was removed.');
      return { forgotten: [], unknown };
    }
    for (const entry of found) await store.memories.forget(entry.id, { source: 'cli' });
    if (found.length > 0) this.log(`Removed ${amount(found.length, 'entry', 'entries')}.`);
    for (const id of unknown) this.note(`No entry has the id ${JSON.stringify(id.slice(0, 100))}.`);
    if (unknown.length > 0) process.exitCode = 1;
    return { forgotten: found.map(({ id }) => id), unknown };
  }

  private async confirmed(entries: readonly Entry[]): Promise<boolean> {
    for (const entry of entries) process.stderr.write(`${entry.id}  ${fit(oneLine(entry.content), 60)}\n`);
    return confirm(`Remove ${entries.length === 1 ? 'this entry' : `these ${entries.length} entries`} for good?`, false);
  }
}

async function findEntries(memories: MemoryOperations, ids: readonly string[]): Promise<{ found: Entry[]; unknown: string[] }> {
  const found = new Map<string, Entry>();
  const unknown: string[] = [];
  for (const text of new Set(ids)) {
    try {
      const entry = await memories.get(entryId(text));
      found.set(entry.id, entry);
    } catch (error) {
      if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
      // With nothing to remove at all, this is a failure like any other.
      if (ids.length === 1) throw error;
      unknown.push(text);
    }
  }
  return { found: [...found.values()], unknown };
}
