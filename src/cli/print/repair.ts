import type { RepairReport, StoreDamage, TableDamage } from '../../repairing.ts';
import { stdoutColors as pc } from './colors.ts';
import { amount, facts } from './output.ts';

/** Ids that are shown; --json has all. */
const SHOWN = 20;

/** Whether something cannot be read, or is not as it was saved. A dry run counts what a repair would lose. */
export const hasLoss = ({ tables, altered, remade, repaired }: RepairReport): boolean =>
  altered.length > 0 || (remade > 0 && !repaired) || tables.some((table) => !repaired || table.unreadableRows + table.deletedAmong > 0);

/** What was found in a store and what was done about it. */
export function formatRepair(report: RepairReport): string {
  const { store, dryRun, repaired, kept, entries, tables, remade, quarantine } = report;
  const shown = facts([
    ['Store', store],
    ['Entries', `${amount(entries, 'entry', 'entries')} can be read`],
    ['Quarantine', quarantine.length === 0 ? undefined : quarantine.join(', ')],
  ]);
  const lines = damageLines(report);
  if (tables.length + remade === 0) return [shown, '', ...lines, pc.green('Every row can be read: nothing is to be repaired.')].join('\n');
  const done = repaired
    ? pc.green(`A store of what can be read is in its place. The store as it was is in ${kept}.`)
    : `Nothing was changed${dryRun ? ': `lore doctor --repair` puts a store of what can be read in its place, and keeps this one next to it' : ''}.`;
  return [shown, '', ...lines, done].join('\n');
}

/** What of a store cannot be read, or is not as it was saved, a line each. */
export function damageLines({ tables, altered, remade }: StoreDamage): string[] {
  const more = altered.length > SHOWN ? ` and ${altered.length - SHOWN} more` : '';
  const changed = `${amount(altered.length, 'entry is', 'entries are')} not what was saved: ${altered.slice(0, SHOWN).join(', ')}${more}`;
  const again = `${amount(remade, 'entry has', 'entries have')} no vector or search text that can be used: both are made again`;
  const lines = [...tables.flatMap(tableLines), ...(altered.length === 0 ? [] : [changed]), ...(remade === 0 ? [] : [again])];
  return lines.map((line) => `${pc.yellow('!')} ${line}`);
}

function tableLines({ table, rows, unreadableRows, deletedAmong, files, versions }: TableDamage): string[] {
  const lost =
    unreadableRows > 0 ? [`${table}: ${unreadableRows.toLocaleString('en-US')} of ${amount(rows, 'row', 'rows')} cannot be read`] : [];
  const back =
    deletedAmong > 0
      ? [`${table}: which rows were deleted cannot be read; up to ${amount(deletedAmong, 'one comes', 'of them come')} back`]
      : [];
  const older = versions > 0 ? [`${table}: ${amount(versions, 'version', 'versions')} cannot be read; an older one is used`] : [];
  return [...lost, ...back, ...older, ...files.map((file) => `${table}: damaged file ${file}`)];
}
