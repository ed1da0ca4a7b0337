import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '@lancedb/lancedb';
import { LoreError } from '../../../memory/errors.ts';
import { META } from '../../format/schema.ts';
import { createDeadline } from '../../wal/shared/deadline.ts';
import type { LogContent, LogRow, SharedCheckpoint } from '../../wal/shared/log-row.ts';
import { Segment, segmentName, tableNames, type SharedTables } from '../../wal/shared/segment.ts';
import { createMeta, advanceStart, readMeta, type SharedFacts } from '../../wal/shared/shared-meta.ts';

export interface SharedCreation {
  readonly connect: () => Promise<Connection>;
  /** Longest wait for one call to the store, milliseconds. */
  readonly timeoutMs: number;
  readonly format: number;
  /** Create a missing store; default true. */
  readonly create?: boolean | undefined;
  /** Creates the tables of a new store and returns their versions. Called on one server at most. */
  readonly makeTables: (connection: Connection) => Promise<SharedCheckpoint>;
  /** How long to wait for concurrent attempts to create the store, milliseconds. */
  readonly settleMs?: number;
  /** Longest wait for another server that creates the store, milliseconds. */
  readonly waitMs?: number;
}

/** How much later a concurrent creation of the same table may still replace the first one. */
const SETTLE_MS = 2_000;
const WAIT_MS = 30_000;
const POLL_MS = 250;

/**
 * Creates a shared store, or waits until another server has created it; does nothing if there is one. Rejects with `filesystem` if the
 * location has something else, with `unavailable` if another server did not finish, and with `not_found` if there is none and it may not
 * be created.
 */
export async function createShared(settings: SharedCreation): Promise<void> {
  const within = createDeadline(settings.timeoutMs);
  const connection = await within('open the store', settings.connect());
  try {
    await create({ connection, within }, settings);
  } finally {
    connection.close();
  }
}

async function create(tables: SharedTables, settings: SharedCreation): Promise<void> {
  const found = await readMeta(tables);
  if (found?.start !== undefined) return;
  if (found === undefined && settings.create === false) throw new LoreError('not_found', 'There is no store at this location.');
  if (found !== undefined || !(await isCreator(tables, settings))) return await waitForStart(tables, settings);
  const facts = await readMeta(tables);
  if (facts === undefined) throw unfinished(undefined);
  const checkpoint = await settings.makeTables(tables.connection);
  const name = segmentName(facts.storeId, 1);
  const segment = await Segment.create(tables, { number: 1, name });
  await segment.add(firstRows(checkpoint));
  segment.close();
  // Last: from here on the store exists for others, completely.
  await advanceStart(tables, { segment: 1, name });
}

/** Starts creating a store. Returns whether this server continues with it. */
async function isCreator(tables: SharedTables, { format, settleMs = SETTLE_MS }: SharedCreation): Promise<boolean> {
  const names = await tableNames(tables);
  if (names.includes(META)) return false;
  refuseOthers(names);
  const storeId = randomUUID();
  await createMeta(tables, { storeId, format }).catch(async (error: unknown) => {
    if ((await readMeta(tables)) === undefined) throw error;
  });
  await wait(settleMs);
  if ((await readMeta(tables))?.storeId !== storeId) return false;
  // A server that was suspended between check and creation may have overwritten a store that others already use.
  refuseOthers(await tableNames(tables));
  return true;
}

/** Never overwrites an existing one. */
function refuseOthers(names: readonly string[]): void {
  const others = names.filter((name) => name !== META);
  if (others.length === 0) return;
  throw new LoreError(
    'filesystem',
    `storage.path points to a location with other tables (${others.slice(0, 3).join(', ')}) and no complete store.`,
    {
      hint: 'Nothing was changed. Set storage.path to an empty location, or remove what is there if it is not needed.',
    },
  );
}

/** A log that begins with a checkpoint and a released lease. */
function firstRows(checkpoint: SharedCheckpoint): LogRow[] {
  const mark = { segment: 1, row: 2 };
  const contents: LogContent[] = [
    { kind: 'begin', carried: { sequence: 0, term: 0, signs: 0 } },
    { kind: 'lease', term: 1, seen: 0 },
    { kind: 'mark', term: 1 },
    { kind: 'head', term: 1, mark, head: checkpoint },
    { kind: 'release', term: 1 },
  ];
  return contents.map((content) => ({ ...content, id: randomUUID(), server: 'creation', at: Date.now() }));
}

async function waitForStart(tables: SharedTables, { waitMs = WAIT_MS }: SharedCreation): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const facts = await readMeta(tables);
    if (facts?.start !== undefined) return;
    if (performance.now() >= until) throw unfinished(facts);
    await wait(POLL_MS);
  }
}

function unfinished(facts: SharedFacts | undefined): LoreError {
  const missing = facts === undefined || facts.storeId === '' ? `the table ${META}, which names the store` : 'the log, which is made last';
  return new LoreError('unavailable', `Another server began to create the store and did not finish: it still lacks ${missing}.`, {
    hint: 'If no server is still creating it, remove everything at storage.path and start again: it holds no entries yet.',
    retryAfterSeconds: 30,
  });
}
