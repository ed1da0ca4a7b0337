import { connect } from '../../src/store/connection.ts';
import type { JournalRecord } from '../../src/store/journal-record.ts';
import { silentLog } from '../../src/memory/log.ts';
import { createShared } from '../../src/store/shared/shared-creation.ts';
import { SharedLog, type LogEvent, type SharedHead, type SharedLogSettings } from '../../src/store/shared/shared-log.ts';

export const HEAD: SharedHead = { version: 1, rows: 0, format: 1, sides: { relations: 1 } };

/** A store without tables but those of its log. */
export async function createTestLog(path: string): Promise<void> {
  await createShared({ connect: () => connect(path), timeoutMs: 30_000, format: 1, makeTables: () => Promise.resolve(HEAD), settleMs: 0 });
}

/** A server's log and all that it was told. */
export interface TestLog {
  readonly shared: SharedLog;
  readonly told: LogEvent[];
}

/** Opens the log of a store in a folder; the caller closes it. */
export async function openTestLog(path: string, settings: Partial<SharedLogSettings> = {}): Promise<TestLog> {
  const told: LogEvent[] = [];
  const shared = await SharedLog.open({
    connect: () => connect(path),
    server: 'test',
    timeoutMs: 30_000,
    leaseMs: 60_000,
    log: silentLog,
    onEvent: (event) => void told.push(event),
    ...settings,
  });
  return { shared, told };
}

/** A record that can be told from others. */
export function removal(id: string): JournalRecord {
  return { op: 'remove', id, writtenAt: 1 };
}

/** The ids of the removals that were told, in order. */
export function removedIds(events: readonly LogEvent[]): string[] {
  return events
    .flatMap((event) => (event.kind === 'records' ? event.records : []))
    .map((record) => (record.op === 'remove' ? record.id : record.op));
}
