import type { VerifyReport } from '../../memory/operations/operations.ts';
import { MemoryCommand } from '../memory-command.ts';
import { statusLine } from '../print/progress.ts';
import { formatVerification, hasFindings } from '../print/verification.ts';

/** Exit code where something was found: the command did its work, and not all is well. */
const EXIT_FINDINGS = 1;

export default class Verify extends MemoryCommand {
  static override summary = 'Verify every stored entry against its checksum.';
  static override description =
    'Lists each entry that differs from what was saved or cannot be read. Exits with 0 if all entries are intact, else with 1. A server does the same slowly in the background (storage.scrubInterval).';
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
