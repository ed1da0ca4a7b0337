import { Flags } from '@oclif/core';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { ForgetRequest, type ForgetReport } from '../../memory/operations/lifecycle-operations.ts';
import { MAX_SELECTED_IDS } from '../../memory/operations/entry-conditions.ts';
import type { MemoryOperations } from '../../memory/operations/operations.ts';
import { conditionFlags } from '../flags/condition-flags.ts';
import { UsageError } from '../failure.ts';
import { entriesArg, entryNamed } from '../named-entry.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, oneLine } from '../print/output.ts';
import { canAsk, confirm } from '../prompt.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { checkedRequest, fieldsOf } from '../flags/request.ts';
import { fit } from '../print/text-width.ts';

interface Forgotten {
  readonly forgotten: readonly string[];
  /** Run ids for `lore archive restore --run`; absent after a permanent deletion. */
  readonly runs?: readonly string[];
  /** Unknown ids. */
  readonly unknown: readonly string[];
}

const SHOWN_COLUMNS = 60;
const NO_TERMINAL = 'Cannot ask for confirmation: no terminal.';

export default class Forget extends MemoryCommand {
  static override summary = 'Archive entries by id, or every entry that matches a filter.';
  static override description =
    'Shows the entries and asks first; --yes skips the question. `<%= config.bin %> archive restore` restores archived entries; --permanently deletes them for good instead. ' +
    'An unknown id is reported (exit code 1), and the other entries are still archived. ' +
    'A filter applies to the namespace of the working directory unless you pass --namespace or --all.';
  static override examples = [
    '<%= config.bin %> forget 01975a3e',
    '<%= config.bin %> forget --tag scratch --before 2026-01-01 --dry-run',
    '<%= config.bin %> forget --all --source auto-capture --max-importance 0.3 --yes',
  ];
  static override args = { id: entriesArg };
  static override flags = {
    ...conditionFlags,
    ...fieldFlags(ForgetRequest, { permanently: { aliases: ['permanent'], description: 'Delete for good instead of archiving.' } }),
    'dry-run': Flags.boolean({ description: 'Only show the entries.' }),
    yes: Flags.boolean({ char: 'y', description: 'Do not ask for confirmation.' }),
  };

  async run(): Promise<Forgotten | Omit<ForgetReport, 'token'>> {
    const { args, flags } = await this.parse(Forget);
    const { permanent, ...conditions } = fieldsOf(ForgetRequest, flags);
    const isFiltered = Object.keys(conditions).length > 0 || flags.all;
    const ids = args.id ?? [];
    if (ids.length > 0 && isFiltered) throw new UsageError('Select entries by id or by a filter, not both.');
    if (ids.length > 0) return await this.byId(ids, flags);
    if (!isFiltered && permanent === undefined)
      throw new UsageError('id is required, or a filter such as --tag.', 'See `lore forget --help`.');
    const request = checkedRequest(ForgetRequest, { ...conditions, permanent });
    return await this.byFilter(request, flags);
  }

  private async byFilter(
    request: ForgetRequest,
    flags: {
      all: boolean;
      yes: boolean;
      'dry-run': boolean;
      namespace: string | undefined;
      config: string | undefined;
      url: string | undefined;
    },
  ): Promise<Omit<ForgetReport, 'token'>> {
    await using store = await this.openMemories(flags);
    const { lifecycle } = store.memories;
    const within = { ...request, ...(await this.scopeFor(store.loaded, flags)) };
    const { token, ...found } = await lifecycle.forgetMany(within, { source: 'cli' });
    if (token === undefined || flags['dry-run']) {
      this.log([...found.preview.map(lineOf), matching(found)].join('\n'));
      return found;
    }
    if (!flags.yes) {
      for (const entry of found.preview) process.stderr.write(`${lineOf(entry)}\n`);
      process.stderr.write(`${matching(found)}\n`);
      if (!canAsk()) throw new UsageError(NO_TERMINAL, 'Use --yes to forget without asking.');
      if (!(await confirm(request.permanent ? 'Delete all of these for good?' : 'Archive all of these?', false))) {
        this.note('Nothing was forgotten.');
        return found;
      }
    }
    const report = await lifecycle.forgetMany({ ...within, confirm: token }, { source: 'cli' });
    this.tell(report.matches, report.run === undefined ? [] : [report.run]);
    return report;
  }

  private async byId(
    ids: readonly string[],
    flags: { yes: boolean; permanently: boolean; 'dry-run': boolean; config: string | undefined; url: string | undefined },
  ): Promise<Forgotten> {
    const { permanently, 'dry-run': isDry } = flags;
    if (!flags.yes && !isDry && !canAsk()) throw new UsageError(NO_TERMINAL, 'Use --yes to forget without asking.');
    await using store = await this.openMemories(flags);
    const { found, unknown } = await findEntries(store.memories, ids);
    const forgotten = found.map(({ id }) => id);
    let runs: readonly string[] = [];
    if (isDry) {
      const fate = permanently ? 'deleted for good' : 'archived';
      this.log([...found.map(lineOf), `${amount(found.length, 'entry', 'entries')} would be ${fate}.`].join('\n'));
    } else if (found.length > 0 && !flags.yes && !(await this.confirmed(found, permanently))) {
      this.note('Nothing was forgotten.');
      return { forgotten: [], unknown };
    } else if (found.length > 0) {
      runs = await forgetAll(store.memories, forgotten, permanently);
      this.tell(found.length, runs);
    }
    for (const id of unknown) this.note(`No entry has the id ${JSON.stringify(id.slice(0, 100))}.`);
    if (unknown.length > 0) process.exitCode = 1;
    return { forgotten: isDry ? [] : forgotten, ...(runs.length > 0 && { runs }), unknown };
  }

  /** The result, and how to restore archived entries. */
  private tell(count: number, runs: readonly string[]): void {
    this.log(`${runs.length === 0 ? 'Deleted' : 'Archived'} ${amount(count, 'entry', 'entries')}.`);
    for (const run of runs) this.note(`\`lore archive restore --run ${run}\` restores ${count === 1 ? 'it' : 'them'}.`);
  }

  private async confirmed(entries: readonly Entry[], permanently: boolean): Promise<boolean> {
    for (const entry of entries) process.stderr.write(`${lineOf(entry)}\n`);
    const which = entries.length === 1 ? 'this entry' : `these ${entries.length} entries`;
    return confirm(permanently ? `Delete ${which} for good?` : `Archive ${which}?`, false);
  }
}

/** The run ids in the archive; empty after a permanent deletion. */
async function forgetAll({ lifecycle }: MemoryOperations, all: readonly string[], permanently: boolean): Promise<string[]> {
  const runs: string[] = [];
  for (let start = 0; start < all.length; start += MAX_SELECTED_IDS) {
    const request: ForgetRequest = { ids: all.slice(start, start + MAX_SELECTED_IDS), ...(permanently && { permanent: true }) };
    const { token } = await lifecycle.forgetMany(request, { source: 'cli' });
    // Forgotten by another process in the meantime.
    if (token === undefined) continue;
    const { run } = await lifecycle.forgetMany({ ...request, confirm: token }, { source: 'cli' });
    if (run !== undefined) runs.push(run);
  }
  return runs;
}

const lineOf = (entry: Entry): string => `${entry.id}  ${fit(oneLine(entry.content), SHOWN_COLUMNS)}`;

function matching({ matches, preview }: Pick<ForgetReport, 'matches' | 'preview'>): string {
  const more = matches > preview.length && preview.length > 0 ? `, the newest ${preview.length} of them above` : '';
  return matches === 0 ? 'No entry matches.' : `${amount(matches, 'entry matches', 'entries match')}${more}.`;
}

async function findEntries(memories: MemoryOperations, ids: readonly string[]): Promise<{ found: Entry[]; unknown: string[] }> {
  const found = new Map<string, Entry>();
  const unknown: string[] = [];
  for (const text of new Set(ids)) {
    try {
      const entry = await memories.get(await entryNamed(text, memories));
      found.set(entry.id, entry);
    } catch (error) {
      if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
      // If all ids are unknown, that is an error.
      if (ids.length === 1) throw error;
      unknown.push(text);
    }
  }
  return { found: [...found.values()], unknown };
}
