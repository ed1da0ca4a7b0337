import { syncArgs, SyncCommand, syncFlags } from '../sync/sync-command.ts';
import type { SyncReport } from '../sync/summary.ts';

export default class Push extends SyncCommand {
  static override summary = 'Push newer entries to another store.';
  static override description =
    'Compares a namespace in both stores and sends new, changed, forgotten and deleted entries to the other one. The last writer of each entry wins, and the replaced version stays in the history there. ' +
    'Entries that are newer there do not change; `lore pull` fetches them. If an edit loses against a later one, the report names the command that restores it. You can repeat the command at any time, also after an interruption.';
  static override examples = [
    '<%= config.bin %> push https://lore.example.com --dry-run',
    '<%= config.bin %> push /mnt/usb/lore --all',
    '<%= config.bin %> push az://memories/team --all',
    '<%= config.bin %> push https://lore.example.com -n owner/repo -n owner/web',
  ];
  static override args = syncArgs;
  static override flags = syncFlags;

  async run(): Promise<SyncReport> {
    const { args, flags } = await this.parse(Push);
    return await this.synchronize('push', args.uri, flags);
  }
}
