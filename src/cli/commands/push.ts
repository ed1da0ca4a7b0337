import { syncArgs, SyncCommand, syncFlags } from '../sync/sync-command.ts';
import type { SyncReport } from '../sync/summary.ts';

export default class Push extends SyncCommand {
  static override summary = 'Push newer entries to another store.';
  static override description =
    'Compares a namespace of the two stores and sends what is new, was changed, was forgotten or was deleted for good here since: of each entry the last writer wins, and the version that goes stays in the history there. ' +
    'What is later there stays as it is; `lore pull` brings it. An edit that loses against a later one is named with the command that brings it back. It may be repeated at any time, also after it was cut short.';
  static override examples = [
    '<%= config.bin %> push https://lore.example.com --dry-run',
    '<%= config.bin %> push /mnt/usb/lore --all',
    '<%= config.bin %> push az://memories/team --all',
    '<%= config.bin %> push https://lore.example.com --namespace owner/repo --namespace owner/web',
  ];
  static override args = syncArgs;
  static override flags = syncFlags;

  async run(): Promise<SyncReport> {
    const { args, flags } = await this.parse(Push);
    return await this.synchronize('push', args.uri, flags);
  }
}
