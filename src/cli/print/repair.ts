import type { RestoredFile, RepairReport, RestoredEntry, StoreDamage, TableDamage } from '../../repair-store.ts';
import { stdoutColors as pc } from './colors.ts';
import { amount, facts } from './output.ts';

/** Ids that are shown; --json has all. */
const SHOWN = 20;

/** Whether something is unreadable or differs from the saved version; in a dry run, whether a repair would lose anything. */
export const hasLoss = ({ tables, altered, lost, doubtful, remade, putBack, restored, wrongFiles, repaired }: RepairReport): boolean =>
  altered.length + lost.length + doubtful.length > 0 ||
  (!repaired && remade + tables.length + putBack.length + wrongFiles.length + restored.filter(isReplaced).length > 0) ||
  tables.some((table) => table.unreadableRows + table.deletedAmong > 0);

const isReplaced = ({ way }: RestoredEntry): boolean => way !== 'journal';

/** The report of a repair. */
export function formatRepair(report: RepairReport): string {
  const { store, entries, quarantine } = report;
  const shown = facts([
    ['Store', store],
    ['Entries', `${amount(entries, 'entry', 'entries')} can be read`],
    ['Quarantine', quarantine.length === 0 ? undefined : quarantine.join(', ')],
  ]);
  return [shown, '', ...damageLines(report), ...waysOut(report), outcomeOf(report)].join('\n');
}

function outcomeOf({ dryRun, repaired, kept, tables, remade, putBack, restored, altered, wrongFiles, lost }: RepairReport): string {
  if (repaired) return pc.green(`A repaired store has replaced it. The previous store is in ${kept}.`);
  const would = tables.length + remade + putBack.length + wrongFiles.length + restored.filter(isReplaced).length > 0;
  if (would) {
    return `Nothing was changed${dryRun ? ': `lore doctor --repair` replaces it with a repaired store, and keeps this one under another name' : ''}.`;
  }
  if (altered.length + lost.length > 0) return 'Every row can be read. Nothing was changed: no copy of the altered parts was found.';
  return pc.green('Every row can be read: nothing to repair.');
}

/** One line for each unreadable or altered part of a store, with its replacement. */
export function damageLines(damage: StoreDamage & Partial<Pick<RepairReport, 'putBack' | 'wrongFiles' | 'dryRun' | 'repaired'>>): string[] {
  const { tables, altered, lost, doubtful, remade, restored, putBack = [], wrongFiles = [] } = damage;
  const again = `${amount(remade, 'entry has', 'entries have')} no usable vector or search text: Lore computes both again`;
  const named = new Set(tables.flatMap(({ files }) => files));
  const bad = [
    ...tables.flatMap(tableLines),
    ...wrongFiles.filter((file) => !named.has(file)).map((file) => `${file} is altered, and no backup has it: ${instead(file)}`),
    ...idLine(altered, ['entry is', 'entries are'], 'not what was saved'),
    ...idLine(lost, ['entry', 'entries'], 'cannot be read'),
    ...idLine(doubtful, ['entry is', 'entries are'], 'from an altered file: the text is as saved, but the other fields may differ'),
    ...(remade === 0 ? [] : [again]),
  ];
  const good = [...putBack.map(restoredFileLine), ...restoredLines(restored)];
  return [...bad.map((line) => `${pc.yellow('!')} ${line}`), ...good.map((line) => `${pc.green('+')} ${line}`)];
}

const instead = (file: string): string =>
  file.includes('/_indices/') ? 'the index is rebuilt, and nothing is lost' : 'its readable rows are kept';

function idLine(ids: readonly string[], [one, many]: readonly [string, string], what: string): string[] {
  if (ids.length === 0) return [];
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  return [`${amount(ids.length, one, many)} ${what}: ${ids.slice(0, SHOWN).join(', ')}${more}`];
}

const restoredFileLine = ({ path, way, from }: RestoredFile): string =>
  way === 'backup' ? `${path} was altered: restored from the backup ${from}` : `${path} had one wrong byte: corrected with its checksum`;

const WAYS: Readonly<Record<RestoredEntry['way'], (from: string | undefined) => string>> = {
  backup: (from) => `restored from the backup ${from}`,
  journal: () => 'in the log as saved; the next start takes them from there',
  history: () => 'the text restored from their history',
};

/** A line for each source of restored entries. */
function restoredLines(restored: readonly RestoredEntry[]): string[] {
  const places = new Map<string, string[]>();
  for (const { id, way, from } of restored) {
    const place = WAYS[way](from);
    places.set(place, [...(places.get(place) ?? []), id]);
  }
  return [...places].flatMap(([place, ids]) => idLine(ids, ['entry', 'entries'], place));
}

/** Advice if no copy was found. */
function waysOut({ altered, lost, newestBackup }: RepairReport): string[] {
  const [id] = [...altered, ...lost];
  if (id === undefined) return [];
  const backup =
    newestBackup === undefined
      ? '`lore backup restore` restores a backup; there is none here, perhaps on another disk (storage.backupPath)'
      : `\`lore backup restore ${newestBackup}\` restores the whole store of that time`;
  return [
    'No copy of the altered or lost entries was found. Options:',
    `  ${backup}`,
    `  \`lore forget ${id} --permanently\` deletes the rest of an entry`,
    '  `lore pull ADDRESS` or `lore import FILE` then restores it from another store or an export',
  ];
}

function tableLines({ table, rows, unreadableRows, deletedAmong, files, versions }: TableDamage): string[] {
  const lost =
    unreadableRows > 0 ? [`${table}: ${unreadableRows.toLocaleString('en-US')} of ${amount(rows, 'row', 'rows')} cannot be read`] : [];
  const back =
    deletedAmong > 0
      ? [`${table}: the list of deleted rows cannot be read; up to ${amount(deletedAmong, 'one comes', 'of them come')} back`]
      : [];
  const older = versions > 0 ? [`${table}: ${amount(versions, 'version', 'versions')} cannot be read; an older one is used`] : [];
  return [...lost, ...back, ...older, ...files.map((file) => `${table}: damaged file ${file}`)];
}
