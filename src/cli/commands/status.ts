import type { TargetStatus } from '../../integrations/states.ts';
import type { Health } from '../../memory/operations/operations.ts';
import { clientStates } from '../checks/integrations.ts';
import { formatEmbedder } from '../entries.ts';
import { formatStates, remedies } from '../integrations.ts';
import { MemoryCommand } from '../memory-command.ts';
import { amount, byteSize, duration, facts, moment } from '../output.ts';

interface Status extends Health {
  /** URL of the server that has the store open, or null. */
  readonly server: string | null;
  /** The namespace of the working directory, which may be another than the server's own. */
  readonly here: { readonly namespace: string; readonly why: string; readonly entries: number };
  /** How the clients stand that `lore setup` knows. */
  readonly integrations: readonly TargetStatus[];
}

export default class StatusCommand extends MemoryCommand {
  static override summary = 'Show whether a server runs, the state of the store and the embedder, and which clients are set up.';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json | jq .embedder'];

  async run(): Promise<Status> {
    const { flags } = await this.parse(StatusCommand);
    await using store = await this.openMemories(flags);
    const { namespace, why } = await this.namespaceFor(store.loaded, undefined);
    const [health, page] = await Promise.all([store.memories.health(), store.memories.list({ namespace, limit: 1 })]);
    const integrations = await clientStates();
    const status = { server: store.server ?? null, ...health, here: { namespace, why, entries: page.total }, integrations };
    this.log(`${formatStatus(status)}\n\n${formatStates(integrations)}`);
    for (const reason of [...health.degraded, ...remedies(integrations)]) this.note(`note: ${reason}`);
    return status;
  }
}

function formatStatus(status: Status): string {
  const { storage, here } = status;
  return facts([
    ['Server', status.server === null ? 'not running' : `${status.server}, for ${duration(status.uptimeMs)}`],
    ['Status', status.degraded.length === 0 ? status.status : `${status.status}, with notes`],
    ['Version', status.version],
    ['Store', `${storage.path ?? 'of the server'} (${storage.type}, ${byteSize(storage.bytes)})`],
    [
      'Entries',
      `${amount(status.totalEntries, 'entry', 'entries')}, ${here.entries.toLocaleString('en-US')} here, ${status.globalEntries.toLocaleString('en-US')} global`,
    ],
    ['Namespace', `${here.namespace} (${here.why})`],
    ['Embedder', formatEmbedder(status.embedder)],
    ['Maintenance', status.maintenance],
    ['Last backup', status.lastBackup === undefined ? 'none' : `${moment(status.lastBackup.createdAt)} (${status.lastBackup.name})`],
    ['Memory', byteSize(status.rss)],
  ]);
}
