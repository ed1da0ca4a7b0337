import { CaptureSessionsRequest, type CaptureSession } from '../../../memory/operations/capture-operations.ts';
import { fieldFlags } from '../../flags/field-flags.ts';
import { MemoryCommand } from '../../memory-command.ts';
import { moment, table } from '../../print/output.ts';
import { checkedRequest, fieldsOf } from '../../flags/request.ts';

export default class CaptureSessionsCommand extends MemoryCommand {
  static override summary = 'List sessions with captured entries, latest first.';
  static override description = '`lore capture undo SESSION` archives what a session captured.';
  static override examples = [
    '<%= config.bin %> capture sessions',
    '<%= config.bin %> capture sessions --limit 5 --json | jq -r ".sessions[].session"',
  ];
  static override flags = fieldFlags(CaptureSessionsRequest, {
    namespace: { char: 'n', description: 'Only this namespace (default all).' },
    limit: { char: 'l', description: 'Number of sessions, 1 to 100 (default 20).' },
  });

  async run(): Promise<{ sessions: readonly CaptureSession[] }> {
    const { flags } = await this.parse(CaptureSessionsCommand);
    const request = checkedRequest(CaptureSessionsRequest, fieldsOf(CaptureSessionsRequest, flags));
    await using store = await this.openMemories(flags);
    const sessions = await store.memories.capture.sessions(request, { source: 'cli' });
    this.log(sessions.length === 0 ? 'No sessions yet.' : formatSessions(sessions));
    return { sessions };
  }
}

function formatSessions(sessions: readonly CaptureSession[]): string {
  const columns = [
    { title: 'SESSION' },
    { title: 'CLIENT' },
    { title: 'NAMESPACE', shrinkTo: 10 },
    { title: 'LAST' },
    { title: 'KEPT', align: 'right' as const },
    { title: 'REFUSED', align: 'right' as const },
  ];
  const rows = sessions.map(({ session, client, namespace, lastAt, kept, refused }) => [
    session,
    client,
    namespace,
    moment(lastAt),
    kept.toLocaleString('en-US'),
    refused.toLocaleString('en-US'),
  ]);
  return table(columns, rows);
}
