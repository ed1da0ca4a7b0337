import type { Backup } from '../../../memory/operations/backup-operations.ts';
import { formatBackup } from '../../print/backups.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { statusLine } from '../../print/progress.ts';

export default class BackupNow extends MemoryCommand {
  static override summary = 'Back up the store now.';
  static override description =
    'The copy is consistent even while a server is writing. It is next to the store, or in storage.backupPath, and stays until you remove its folder. Backups that a server makes automatically (storage.backupInterval) are thinned out over time.';
  static override examples = ['<%= config.bin %> backup now', '<%= config.bin %> backup now --json | jq -r .name'];

  async run(): Promise<Backup> {
    const { flags } = await this.parse(BackupNow);
    await using store = await this.openMemories(flags);
    const status = statusLine();
    status.show('Backing up the store …');
    const backup = await store.memories.backups.create({ source: 'cli' }).finally(() => status.clear());
    this.log(formatBackup(backup));
    return backup;
  }
}
