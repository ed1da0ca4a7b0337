import { Flags } from '@oclif/core';
import { DiagnoseRequest, type Diagnosis, type MemoryOperations } from '../../memory/operations.ts';
import { formatCheckup, type Checkup } from '../checkup.ts';
import { number } from '../flags.ts';
import { MemoryCommand } from '../memory-command.ts';
import { statusLine } from '../progress.ts';
import { checkedRequest } from '../request.ts';

/** Exit code where something was found: the command did its work, and not all is well. */
const EXIT_FINDINGS = 1;

export default class Doctor extends MemoryCommand {
  static override summary = 'Check the health of the store; with --recall also how well searches find what is there.';
  static override description =
    'Ends with 0 when all is well and with 1 when something was found. --recall takes entries of the store, searches for each through the index and exactly, ' +
    'and compares: recall@10 is the share of the true ten nearest that the index finds.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --recall --probes 500',
    '<%= config.bin %> doctor --recall --json | jq .diagnosis.recall',
  ];
  static override flags = {
    recall: Flags.boolean({ description: 'Measure the recall of the indexes.' }),
    probes: number({ description: 'Entries to search for, 1 to 1000 (default 100).', dependsOn: ['recall'] }),
  };

  async run(): Promise<Checkup> {
    const { flags } = await this.parse(Doctor);
    const request = checkedRequest(DiagnoseRequest, { probes: flags.probes });
    await using store = await this.openMemories(flags);
    const checkup = await examine(store.memories, flags.recall ? request : undefined);
    this.log(formatCheckup(checkup));
    if (!checkup.healthy) process.exitCode = EXIT_FINDINGS;
    return checkup;
  }
}

async function examine(memories: MemoryOperations, request: DiagnoseRequest | undefined): Promise<Checkup> {
  const [health, stats] = await Promise.all([memories.health(), memories.stats()]);
  const diagnosis = request === undefined ? undefined : await diagnose(memories, request);
  const findings = [...new Set([...health.degraded, ...(diagnosis?.findings ?? [])])];
  return {
    healthy: findings.length === 0,
    findings,
    entries: health.totalEntries,
    maintenance: health.maintenance,
    storage: stats.storage,
    ...(diagnosis !== undefined && { diagnosis }),
  };
}

async function diagnose(memories: MemoryOperations, request: DiagnoseRequest): Promise<Diagnosis> {
  const status = statusLine();
  status.show('Searching for entries of the store, through the index and exactly …');
  try {
    return await memories.diagnose(request, { source: 'cli' });
  } finally {
    status.clear();
  }
}
