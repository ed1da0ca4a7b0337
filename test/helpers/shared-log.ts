import type { Connection } from '@lancedb/lancedb';
import { connect } from '../../src/store/backends/connection.ts';
import type { LogRecord } from '../../src/store/format/log-record.ts';
import { silentLog } from '../../src/memory/log.ts';
import { createShared } from '../../src/store/backends/object-storage/shared-creation.ts';
import { SharedLog, type LogEvent, type SharedCheckpoint, type SharedLogSettings } from '../../src/store/wal/shared/shared-log.ts';

export const HEAD: SharedCheckpoint = { entries: [{ version: 1, rows: 0 }], format: 1, sides: { relations: 1 } };

type Place = string | (() => Promise<Connection>);

const connectTo = (place: Place): (() => Promise<Connection>) => (typeof place === 'string' ? () => connect(place) : place);

/** A store that has only the tables of its log; in a folder or at another location. */
export async function createTestLog(place: Place): Promise<void> {
  await createShared({ connect: connectTo(place), timeoutMs: 30_000, format: 1, makeTables: () => Promise.resolve(HEAD), settleMs: 0 });
}

/** A server's log with everything it reported. */
export interface TestLog {
  readonly shared: SharedLog;
  readonly told: LogEvent[];
}

/** Opens the log of a store; the caller closes it. */
export async function openTestLog(place: Place, settings: Partial<SharedLogSettings> = {}): Promise<TestLog> {
  const told: LogEvent[] = [];
  const shared = await SharedLog.open({
    connect: connectTo(place),
    server: 'test',
    timeoutMs: 30_000,
    leaseMs: 60_000,
    log: silentLog,
    onEvent: (event) => void told.push(event),
    ...settings,
  });
  return { shared, told };
}

/** A unique record. */
export function removal(id: string): LogRecord {
  return { op: 'remove', id, writtenAt: 1 };
}

/** The ids of reported removals, in order. */
export function removedIds(events: readonly LogEvent[]): string[] {
  return events
    .flatMap((event) => (event.kind === 'records' ? event.records : []))
    .map((record) => (record.op === 'remove' ? record.id : record.op));
}
