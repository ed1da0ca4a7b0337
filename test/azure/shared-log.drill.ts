import { connect, type Connection } from '@lancedb/lancedb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LogEvent } from '../../src/store/wal/shared/shared-log.ts';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { createTestLog, openTestLog, removedIds } from '../helpers/shared-log.ts';
import { LogProcess, until } from './log-processes.ts';

const NAMES = ['one', 'two', 'three'];
const LEASE_MS = 3_000;

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

/** Who looked after the store, one moment after the other. */
function holders(): string[] {
  const moments = processes.flatMap(({ server = '', holdings }) => holdings.map((at) => ({ server, at })));
  const servers = moments.toSorted((first, second) => first.at - second.at).map(({ server }) => server);
  return servers.filter((server, nth) => server !== servers[nth - 1]);
}

const current = (): LogProcess | undefined => processes.find(({ holdings }) => holdings.length > 0);

it('gives what three servers append at once one order: nothing is lost, and nothing is there twice', async () => {
  const servers = start({ batches: 25, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone));
  const ids = removedIds(await history());
  expect(ids.toSorted()).toEqual(servers.flatMap(({ acknowledged }) => acknowledged).toSorted());
  expect(new Set(ids).size).toBe(75);
  for (const [nth, name] of NAMES.entries()) expect(ids.filter((id) => id.startsWith(`${name}:`))).toEqual(servers[nth]?.acknowledged);
});

it('has one maintainer at a time, and replaces one that was killed within two lease times', async () => {
  const servers = start({ batches: 5, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const killed = current();
  await killed?.kill();
  await until(() => servers.some((server) => server !== killed && server.holdings.length > 0));
  const events = await history();
  const lastSign = events.findLast(({ kind, server }) => kind !== 'records' && server === killed?.server);
  const lease = events.findLast(({ kind }) => kind === 'lease');
  expect(lease?.server).not.toBe(killed?.server);
  expect((lease?.at ?? Infinity) - (lastSign?.at ?? 0)).toBeLessThanOrEqual(2 * LEASE_MS);
  expect(holders()).toEqual([killed?.server, lease?.server]);
});

it('lets a maintainer that stood still for too long act no more, as it knows by its own clock', async () => {
  const servers = start({ batches: 5, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const stopped = current();
  stopped?.signal('SIGSTOP');
  await until(() => servers.some((server) => server !== stopped && server.holdings.length > 0));
  stopped?.signal('SIGCONT');
  const successor = servers.find((server) => server !== stopped && server.holdings.length > 0);
  const seen = successor?.holdings.length ?? 0;
  await until(() => (successor?.holdings.length ?? 0) > seen + 100);
  expect(holders()).toEqual([stopped?.server, successor?.server]);
});

it('gives the maintenance to another at once where its holder stops in order', async () => {
  const servers = start({ batches: 1, leaseMs: LEASE_MS });
  await until(() => servers.every(({ isDone }) => isDone) && current() !== undefined);
  const left = current();
  await left?.stop();
  await until(() => servers.some((server) => server !== left && server.holdings.length > 0));
  const own = (await history()).filter(({ server }) => server !== 'creation');
  const kinds = own.filter(({ kind }) => kind === 'release' || kind === 'lease').map(({ kind }) => kind);
  expect(kinds).toEqual(['lease', 'release', 'lease']);
});
