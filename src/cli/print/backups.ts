import type { Backup } from '../../memory/operations/backup-operations.ts';
import { amount, byteSize, facts, moment, table } from './output.ts';

/** One backup as text. */
export function formatBackup(backup: Backup): string {
  return facts([
    ['Name', backup.name],
    ['Entries', amount(backup.entries, 'entry', 'entries')],
    ['Size', sizeOf(backup)],
    ['Kind', backup.kind],
  ]);
}

/** Backups, one per line. */
export function formatBackups(backups: readonly Backup[]): string {
  const columns = [{ title: 'NAME' }, { title: 'MADE' }, { title: 'ENTRIES' }, { title: 'SIZE' }, { title: 'KIND' }];
  const rows = backups.map((backup) => [
    backup.name,
    moment(backup.createdAt),
    backup.entries.toLocaleString('en-US'),
    sizeOf(backup),
    backup.kind,
  ]);
  return table(columns, rows);
}

function sizeOf({ bytes, compressed }: Backup): string {
  return `${byteSize(bytes)}${compressed ? ' compressed' : ''}`;
}
