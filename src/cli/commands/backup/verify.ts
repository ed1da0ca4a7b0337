import { Args } from '@oclif/core';
import { VerifyBackupRequest, type BackupCheck } from '../../../memory/operations/backup-operations.ts';
import { BackupCommand } from '../../backup-command.ts';
import { amount } from '../../print/output.ts';
import { statusLine } from '../../print/progress.ts';
import { checkedRequest } from '../../flags/request.ts';

/** Exit code for findings: the command worked, but something is wrong. */
const EXIT_DAMAGED = 1;

export default class BackupVerify extends BackupCommand {
  static override summary = 'Verify a backup against its checksums.';
  static override description =
    'Reads every file and compares the checksums, even if the store cannot be opened. Exits with 1 if something is missing or damaged.';
  static override examples = [
    '<%= config.bin %> backup verify 2026-01-31T12-00-00.000Z',
    '<%= config.bin %> backup verify "$(<%= config.bin %> backup list --json | jq -r .backups[0].name)"',
  ];
  static override args = { name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the backup.' }) };

  async run(): Promise<BackupCheck> {
    const { args, flags } = await this.parse(BackupVerify);
    const request = checkedRequest(VerifyBackupRequest, { name: args.name }, { name: 'name' });
    await using stored = await this.openBackups(flags);
    const status = statusLine();
    status.show('Reading the backup …');
    const check = await stored.backups.verify(request, { source: 'cli' }).finally(() => status.clear());
    const { name } = check;
    if (check.whole) this.log(`${name} is whole: ${amount(check.entries, 'entry', 'entries')}.`);
    else this.log([`${name} is damaged:`, ...check.problems.map((problem) => `  ${problem}`)].join('\n'));
    if (!check.whole) process.exitCode = EXIT_DAMAGED;
    return check;
  }
}
