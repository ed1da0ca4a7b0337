import type { VerifyReport } from '../../memory/operations/operations.ts';
import { MemoryCommand } from '../memory-command.ts';
import { statusLine } from '../print/progress.ts';
import { formatVerification, hasFindings } from '../print/verification.ts';

/** Exit code where something was found: the command did its work, and not all is well. */
const EXIT_FINDINGS = 1;

export default class Verify extends MemoryCommand {
  static override summary = 'Read every entry from the disk and compare it with the checksum of what was saved.';
  static override description =
    'Names each entry that is not what was saved, or that cannot be read. Ends with 0 when all are well and with 1 when not. A server does the same behind the requests, slowly (storage.scrubInterval).';
  static override examples = ['<%= config.bin %> verify', "<%= config.bin %> verify --json | jq -r '.altered[]'"];

  async run(): Promise<VerifyReport> {
    const { flags } = await this.parse(Verify);
    await using store = await this.openMemories(flags);
    const status = statusLine();
    status.show('Reading every entry …');
    const report = await store.memories.verify({ source: 'cli' }).finally(() => status.clear());
    for (const line of formatVerification(report)) this.log(line);
    if (hasFindings(report)) process.exitCode = EXIT_FINDINGS;
    return report;
  }
}
