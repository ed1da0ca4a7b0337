import type { Table } from '@lancedb/lancedb';
import { LoreError } from '../../../memory/errors.ts';
import { META, metaSchema } from '../../format/schema.ts';
import { oneOf } from '../../format/predicates.ts';
import { tableNames, type SharedTables } from './segment.ts';

/** The segment at which opening servers start; it has the mark of a checkpoint. */
export interface LogStart {
  readonly segment: number;
  readonly name: string;
}

/** The meta data of a shared store. */
export interface SharedFacts {
  /** Empty while the table is being created. */
  readonly storeId: string;
  readonly format: number;
  /** Undefined until the store is complete. */
  readonly start: LogStart | undefined;
}

interface MetaRow {
  readonly key: string;
  readonly value: string;
}

const START = 'log';
/** Width of segment numbers, so that they sort as text. */
const NUMBER_DIGITS = 15;
/** Number of outdated rows that are kept; more are removed. */
const MOST_STARTS = 64;

/** Creates the meta table in one step. Rejects if it exists, but may not detect another server creating it at the same time. */
export async function createMeta(
  { connection, within }: SharedTables,
  { storeId, format }: { storeId: string; format: number },
): Promise<void> {
  const rows = [
    { key: 'format', value: String(format) },
    { key: 'created', value: new Date().toISOString() },
    { key: 'storeId', value: storeId },
  ];
  const table = await within('create the store', connection.createTable(META, rows, { schema: metaSchema() }));
  table.close();
}

const BEGUN: SharedFacts = { storeId: '', format: 0, start: undefined };
/** The engine's message for a table without a version. */
const NO_VERSION = /was not found|not found:/i;

/** The meta data; undefined if there is no such table. */
export async function readMeta(tables: SharedTables): Promise<SharedFacts | undefined> {
  const { connection, within } = tables;
  let table: Table;
  try {
    table = await within('open the store', connection.openTable(META));
  } catch (error) {
    if (!(await tableNames(tables)).includes(META)) return undefined;
    // A table is listed as soon as its data exists, even without a complete version.
    if (error instanceof LoreError && error.cause instanceof Error && NO_VERSION.test(error.cause.message)) return BEGUN;
    throw error;
  }
  try {
    const rows = (await within('open the store', table.query().toArray())) as MetaRow[];
    return factsOf(rows);
  } finally {
    table.close();
  }
}

function factsOf(rows: readonly MetaRow[]): SharedFacts {
  const valueOf = (key: string): string | undefined => rows.find((row) => row.key === key)?.value;
  const storeId = valueOf('storeId');
  const format = Number(valueOf('format'));
  if (storeId === undefined || !Number.isInteger(format)) {
    throw new LoreError('filesystem', `storage.path does not name a shared store: its table ${META} does not mark it as one.`, {
      hint: 'Set storage.path to an unused place. To move a store from a folder, export it and import it there.',
    });
  }
  // The greatest, not the last: a server that was replaced may have written late.
  const newest = startsIn(rows).toSorted().at(-1);
  return { storeId, format, start: newest === undefined ? undefined : parseStart(newest) };
}

/** Moves the start of the log to a later segment. Safe to repeat, and to run on two servers at once. */
export async function advanceStart({ connection, within }: SharedTables, start: LogStart): Promise<void> {
  const action = 'record where the log of the store begins';
  const table = await within(action, connection.openTable(META));
  try {
    await within(action, table.add([{ key: START, value: startText(start) }]));
    const starts = startsIn((await within(action, table.query().toArray())) as MetaRow[]);
    const former = starts.filter((value) => value < startText(start));
    if (former.length <= MOST_STARTS) return;
    await within(action, table.delete(oneOf('value', former)));
    await within(action, table.optimize());
  } finally {
    table.close();
  }
}

function startsIn(rows: readonly MetaRow[]): string[] {
  return rows.filter(({ key }) => key === START).map(({ value }) => value);
}

function startText({ segment, name }: LogStart): string {
  return `${String(segment).padStart(NUMBER_DIGITS, '0')}:${name}`;
}

function parseStart(text: string): LogStart {
  return { segment: Number(text.slice(0, NUMBER_DIGITS)), name: text.slice(NUMBER_DIGITS + 1) };
}
