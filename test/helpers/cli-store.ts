/**
 * Prepares and inspects the store of a command line, apart from the commands under test. Starting the command line costs more than its work, so
 * this uses a running server, or one command for all entries.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { entryFrom, type EntryForm } from '../../src/memory/entry-form.ts';
import type { Entry } from '../../src/memory/entry.ts';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import type { Cli } from './cli.ts';

/** An entry with the fields that tests use; default namespace: the one of the working directory. */
export interface Seed {
  readonly content: string;
  readonly namespace?: string;
  readonly container?: string;
  readonly tags?: readonly string[];
  readonly priority?: 'low' | 'normal' | 'high';
  /** Creation time, ISO 8601; default now. */
  readonly timestamp?: string;
}

/** The maximum page size, larger than the number of entries in any of these tests. */
const ALL = '100';

/** Stores entries as if each had been saved by a command in turn. Returns their ids. */
export async function seed(cli: Cli, entries: readonly Seed[]): Promise<string[]> {
  // One millisecond apart: exports have no finer time, and entries of the same time have no order in another store.
  const before = Date.now() - entries.length;
  const lines = entries.map((entry, nth) => ({
    id: randomUUID(),
    source: 'cli',
    timestamp: new Date(before + nth).toISOString(),
    ...entry,
  }));
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  const { stored, ...report } =
    cli.server === undefined
      ? (await cli.run(['import', '-', '--json'], { input })).json()
      : await ask(`${cli.server.url}/api/import`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: input });
  if (stored !== lines.length) throw new Error(`Stored ${String(stored)} of ${lines.length} entries: ${JSON.stringify(report)}`);
  return lines.map(({ id }) => id);
}

/** Stores entries as if they had been saved so many days ago. Restarts a running server. */
export async function seedDaysAgo(cli: Cli, days: number, entries: readonly Seed[]): Promise<void> {
  const served = cli.server;
  await served?.stop();
  const timestamp = new Date(Date.now() - days * 86_400_000).toISOString();
  const input = entries.map((entry) => JSON.stringify({ id: randomUUID(), source: 'cli', timestamp, ...entry })).join('\n');
  const { stored } = (await cli.run(['import', '-', '--json'], { input, daysAgo: days })).json();
  if (stored !== entries.length) throw new Error(`Stored ${String(stored)} of ${entries.length} entries`);
  if (served !== undefined) await cli.serve();
}

/** The path of the store, unless configured otherwise. */
export function storePathOf({ home }: Pick<Cli, 'home'>): string {
  const data = process.platform === 'darwin' ? ['Library', 'Application Support'] : ['.local', 'share'];
  return join(home, ...data, 'lore', 'store');
}

/** Every entry of every namespace, oldest first. */
export async function storedEntries(cli: Cli): Promise<readonly Entry[]> {
  if (cli.server === undefined) {
    return (await cli.run(['list', '--all', '--sort=createdAt', `--limit=${ALL}`, '--json'])).json<EntryPage>().entries;
  }
  const page = await ask(`${cli.server.url}/api/list?allNamespaces=true&sort=createdAt&limit=${ALL}`);
  return (page['entries'] as EntryForm[]).map(entryFrom);
}

export async function storedContents(cli: Cli): Promise<string[]> {
  return (await storedEntries(cli)).map(({ content }) => content);
}

async function ask(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
