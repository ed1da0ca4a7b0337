import { syncArgs, SyncCommand, syncFlags } from '../sync/sync-command.ts';
import type { SyncReport } from '../sync/summary.ts';

export default class Pull extends SyncCommand {
  static override summary = 'Pull newer entries from another store.';
  static override description =
    'Compares a namespace in both stores and fetches new, changed, forgotten and deleted entries from the other one. The last writer of each entry wins, and the replaced version stays in the history here. ' +
    'Entries that are newer here do not change; `lore push` sends them. If your edit loses against a later one, the report names the command that restores it. You can repeat the command at any time, also after an interruption.';
  static override examples = [
    '<%= config.bin %> pull https://lore.example.com',
    '<%= config.bin %> pull /mnt/usb/lore --all --dry-run',
    '<%= config.bin %> pull s3://memories/team --all',
  ];
  static override args = syncArgs;
  static override flags = syncFlags;

  async run(): Promise<SyncReport> {
    const { args, flags } = await this.parse(Pull);
    return await this.synchronize('pull', args.uri, flags);
  }
}
