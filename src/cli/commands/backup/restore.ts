import { Args, Flags } from '@oclif/core';
import { VerifyBackupRequest } from '../../../memory/operations/backup-operations.ts';
import { silentLog } from '../../../memory/log.ts';
import { BaseCommand } from '../../base-command.ts';
import { UsageError } from '../../failure.ts';
import { amount, facts } from '../../print/output.ts';
import { statusLine } from '../../print/progress.ts';
import { canAsk, confirm } from '../../prompt.ts';
import { checkedRequest } from '../../flags/request.ts';
import { absolute } from '../../../config/load.ts';
import { isOnObjectStorage, isUri } from '../../../memory/store-address.ts';
import type { Restored } from '../../../restore-backup.ts';

export default class BackupRestore extends BaseCommand {
  static override summary = 'Restore the store from a backup.';
  static override description =
    'Stop the server first. Before it replaces anything, Lore verifies the backup, opens a store made from it and counts its entries. The current store is kept under another name. With --to the current store stays as it is, and servers keep using it: the backup becomes a new store in an empty place; then set storage.path to it. Stores on object storage and in LanceDB Cloud can only be restored this way.';
  static override examples = [
    '<%= config.bin %> backup restore 2026-01-31T12-00-00.000Z',
    '<%= config.bin %> backup restore 2026-01-31T12-00-00.000Z --yes --json',
    '<%= config.bin %> backup restore 2026-01-31T12-00-00.000Z --to az://memories/team-2',
  ];
  static override args = { name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the backup.' }) };
  static override flags = {
    yes: Flags.boolean({ char: 'y', description: 'Do not ask for confirmation.' }),
    to: Flags.string({
      helpValue: 'PLACE',
      description: 'Create a new store there: in an empty folder, or at a URI without a store.',
    }),
  };

  async run(): Promise<Restored | undefined> {
    const { args, flags } = await this.parse(BackupRestore);
    const { name } = checkedRequest(VerifyBackupRequest, { name: args.name }, { name: 'name' });
    const { to } = flags;
    // A restore to a new place replaces nothing.
    const mustAsk = !flags.yes && to === undefined;
    if (mustAsk && !canAsk()) throw new UsageError('Cannot ask for confirmation: no terminal.', 'Use --yes to restore without asking.');
    const loaded = await this.settings(flags);
    const { requireOwnFolder, restoreBackup } = await import('../../../restore-backup.ts');
    if (to === undefined) requireOwnFolder(loaded);
    const question = `Replace ${loaded.config.storage.path} with the backup ${name}? The current store is kept next to it.`;
    if (mustAsk && !(await confirm(question, false))) {
      this.log('Nothing was changed.');
      return undefined;
    }
    const status = statusLine();
    const onStep = (step: string): void => status.show(step);
    const restored = await restoreBackup(loaded, name, { log: silentLog, onStep, ...(to !== undefined && { to: newPlace(to) }) }).finally(
      () => status.clear(),
    );
    this.log(
      facts([
        ['Restored', restored.name],
        ['Store', restored.store],
        ['Entries', amount(restored.entries, 'entry', 'entries')],
        ['Kept', to === undefined ? keptText(restored) : undefined],
        ['Next', to === undefined ? undefined : `set storage.path to ${restored.store}`],
      ]),
    );
    return restored;
  }
}

function newPlace(to: string): string {
  if (!isUri(to) || isOnObjectStorage(to)) return absolute(to, process.cwd());
  throw new UsageError(
    '--to must be a folder, or a URI such as s3://bucket/prefix, gs://bucket/prefix or az://container/prefix.',
    'Put keys and tokens into storage.options or the environment, not into the URI.',
  );
}

const keptText = ({ kept }: Restored): string => (kept === undefined ? 'there was no store before' : `the store as it was, in ${kept}`);
