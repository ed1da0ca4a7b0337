import type { Backup } from '../../../memory/operations/backup-operations.ts';
import { formatBackups } from '../../print/backups.ts';
import { BackupCommand } from '../../backup-command.ts';

export default class BackupList extends BackupCommand {
  static override summary = 'List backups, newest first.';
  static override description =
    'Works even if the store cannot be opened, and does not create one. The size of a backup counts files that it shares with other backups and with the store by hard links.';
  static override examples = ['<%= config.bin %> backup list', '<%= config.bin %> backup list --json | jq -r .backups[0].name'];

  async run(): Promise<{ backups: readonly Backup[] }> {
    const { flags } = await this.parse(BackupList);
    await using stored = await this.openBackups(flags);
    const backups = await stored.backups.list({ source: 'cli' });
    const none = stored.isAbsent
      ? 'There is no store yet, and no backup. The first save creates the store.'
      : 'No backups. `lore backup now` makes one.';
    this.log(backups.length === 0 ? none : formatBackups(backups));
    return { backups };
  }
}
