import { Args, Flags } from '@oclif/core';
import { VerifyBackupRequest } from '../../../memory/operations/backup-operations.ts';
import { silentLog } from '../../../memory/log.ts';
import { BaseCommand } from '../../base-command.ts';
import { UsageError } from '../../failure.ts';
import { amount, facts } from '../../print/output.ts';
import { statusLine } from '../../print/progress.ts';
import { canAsk, confirm } from '../../prompt.ts';
import { checkedRequest } from '../../flags/request.ts';
import type { Restored } from '../../../restoring.ts';

export default class BackupRestore extends BaseCommand {
  static override summary = 'Restore the store from a backup.';
  static override description =
    'Stop the server first. Before it replaces anything, Lore verifies the backup, opens a store made from it and counts its entries. The present store is moved aside and kept.';
  static override examples = [
    '<%= config.bin %> backup restore 2026-01-31T12-00-00.000Z',
    '<%= config.bin %> backup restore 2026-01-31T12-00-00.000Z --yes --json',
  ];
  static override args = { name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the backup.' }) };
  static override flags = { yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }) };

  async run(): Promise<Restored | undefined> {
    const { args, flags } = await this.parse(BackupRestore);
    const { name } = checkedRequest(VerifyBackupRequest, { name: args.name }, { name: 'name' });
    if (!flags.yes && !canAsk()) throw new UsageError('Cannot ask for confirmation: no terminal.', 'Use --yes to restore without asking.');
    const loaded = await this.settings(flags);
    const [{ requireBackupPlace }, { restoreBackup }] = await Promise.all([import('../../../app.ts'), import('../../../restoring.ts')]);
    requireBackupPlace(loaded);
    const question = `Put the backup ${name} in the place of ${loaded.config.storage.path}? The present store is kept next to it.`;
    if (!flags.yes && !(await confirm(question, false))) {
      this.log('Nothing was changed.');
      return undefined;
    }
    const status = statusLine();
    const onStep = (step: string): void => status.show(step);
    const restored = await restoreBackup(loaded, name, { log: silentLog, onStep }).finally(() => status.clear());
    this.log(
      facts([
        ['Restored', restored.name],
        ['Store', restored.store],
        ['Entries', amount(restored.entries, 'entry', 'entries')],
        ['Kept', restored.kept === undefined ? 'there was no store before' : `the store as it was, in ${restored.kept}`],
      ]),
    );
    return restored;
  }
}
