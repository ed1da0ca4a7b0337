import { connect, type Connection } from '@lancedb/lancedb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LogEvent } from '../../src/store/wal/shared/shared-log.ts';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { createTestLog, openTestLog, removedIds } from '../helpers/shared-log.ts';
import { judgedRows, leaseFaults, type JudgedRow } from './lease-history.ts';
import { LogProcess, until } from './log-processes.ts';

const NAMES = ['one', 'two', 'three'];
const LEASE_MS = 6_000;

// Three processes beside those of other tests, which all ask one emulator: how long that takes says nothing.
vi.setConfig({ testTimeout: 300_000 });

let container: Container;
let processes: LogProcess[] = [];

const toContainer = (): Promise<Connection> => connect(container.uri, { storageOptions: { ...container.options } });

beforeEach(async () => {
  container = await makeContainer();
  await createTestLog(toContainer);
});

afterEach(async () => {
  await Promise.all(processes.map((server) => server.stop()));
  processes = [];
});

function start(facts: { batches: number; leaseMs: number }): readonly LogProcess[] {
  processes = NAMES.map((name) => new LogProcess(container, { name, ...facts }));
  return processes;
}

/** All that counts, as a server reads it that comes last. */
async function history(): Promise<readonly LogEvent[]> {
  const { shared } = await openTestLog(toContainer);
  await shared.close();
  return shared.beginning.events;
}

/** Rows about the lease that count, in the order of the log. */
async function leaseRows(): Promise<JudgedRow[]> {
  const connection = await toContainer();
  const rows = await judgedRows(connection);
  connection.close();
  return rows.filter(({ row, counts }) => counts && 'term' in row);
}

/**
 * Where more than one server maintained the store, by the order of the log alone: a term has one holder, terms follow one another, a row counts only of the
 * holder at its place, and no process maintained the store in a term of another.
 */
function maintainerFaults(rows: readonly JudgedRow[]): string[] {
  const holders = new Map(rows.flatMap(({ row }) => (row.kind === 'lease' ? [[row.term, row.server] as const] : [])));
  const strangers = processes.flatMap(({ server, holdings }) =>
    [...new Set(holdings)].filter((term) => holders.get(term) !== server).map((term) => `${server} maintained in term ${term}`),
  );
  return [...leaseFaults(rows), ...strangers];
}

/** Whether another server has maintained the store in a later term than this one ever did. */
function isReplaced({ holdings }: LogProcess): boolean {
  const own = Math.max(...holdings);
  return processes.some((other) => other.holdings.some((term) => term > own));
}

/** The maintainer: the one with the latest term. */
const current = (): LogProcess | undefined =>
  processes.filter(({ holdings }) => holdings.length > 0).toSorted((a, b) => b.holdings.at(-1)! - a.holdings.at(-1)!)[0];

it('orders concurrent appends of three servers without loss or duplicates', async () => {
  const servers = start({ batches: 25, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone));
  const ids = removedIds(await history());
  expect(ids.toSorted()).toEqual(servers.flatMap(({ acknowledged }) => acknowledged).toSorted());
  expect(new Set(ids).size).toBe(75);
  for (const [nth, name] of NAMES.entries()) expect(ids.filter((id) => id.startsWith(`${name}:`))).toEqual(servers[nth]?.acknowledged);
});

it('has one maintainer at a time, and replaces a killed one', async () => {
  const servers = start({ batches: 5, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const killed = current()!;
  await killed.kill();
  await until(() => isReplaced(killed));
  const rows = await leaseRows();
  expect(maintainerFaults(rows)).toEqual([]);
  expect(rows.findLast(({ row }) => row.kind === 'lease')?.row.server).not.toBe(killed.server);
});

it('stops a maintainer that was paused for too long, by its own clock', async () => {
  const servers = start({ batches: 5, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const stopped = current()!;
  stopped.signal('SIGSTOP');
  await until(() => isReplaced(stopped));
  const { length: before } = stopped.holdings;
  const old = stopped.holdings.at(-1)!;
  const others = servers.filter((server) => server !== stopped);
  const laterMoments = (): number => others.reduce((sum, { holdings }) => sum + holdings.filter((term) => term > old).length, 0);
  const seen = laterMoments();
  stopped.signal('SIGCONT');
  await until(() => laterMoments() > seen + 20);
  expect(maintainerFaults(await leaseRows())).toEqual([]);
  // One report may have been under way when it was stopped. It may take a later lease.
  expect(stopped.holdings.slice(before).filter((term) => term <= old).length).toBeLessThanOrEqual(1);
});

it('passes maintenance on at once when its holder stops cleanly', async () => {
  const servers = start({ batches: 1, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const left = current()!;
  await left.stop();
  await until(() => isReplaced(left));
  const rows = await leaseRows();
  const released = rows.findIndex(({ row }) => row.kind === 'release' && row.server === left.server);
  const next = rows.slice(released + 1).find(({ row }) => row.kind === 'lease');
  // Nobody had to wait until the lease ended by itself.
  expect([released >= 0, next?.before.holder]).toEqual([true, undefined]);
  expect(maintainerFaults(rows)).toEqual([]);
});
