import { syncArgs, SyncCommand, syncFlags } from '../sync/sync-command.ts';
import type { SyncReport } from '../sync/summary.ts';

export default class Pull extends SyncCommand {
  static override summary = 'Pull newer entries from another store.';
  static override description =
    'Compares a namespace of the two stores and brings what is new, was changed, was forgotten or was deleted for good there since: of each entry the last writer wins, and the version that goes stays in the history here. ' +
    'What is later here stays as it is; `lore push` sends it. An edit that loses against a later one is named with the command that brings it back. It may be repeated at any time, also after it was cut short.';
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
