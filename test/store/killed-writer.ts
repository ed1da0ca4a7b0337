/** A process that writes into a store until it is killed, and what the store must hold after that. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { queryTokens } from '../../src/memory/words/tokens.ts';
import { random } from '../bench/corpus.mjs';
import { temporaryFolder } from '../helpers/folder.ts';
import { openTestStore } from '../helpers/store.ts';

const WRITER = fileURLToPath(new URL('./writing-process.mjs', import.meta.url));

/** Changes that a process has seen acknowledged before it is killed. */
const LEAST_ACKNOWLEDGED = 10;

/** What an entry may hold: its acknowledged content, and that of a change under way; null is "not there". */
export interface Expected {
  readonly contents: Map<string, readonly (string | null)[]>;
  /** Put away, perhaps not to the end. */
  readonly archived: Set<string>;
  /** Pairs of ids. */
  readonly related: (readonly [string, string])[];
}

interface Line {
  readonly begin?: string;
  readonly end?: string;
  readonly content?: string | null;
  readonly archive?: boolean;
  readonly related?: readonly [string, string];
  readonly ready?: number;
  readonly warn?: string;
}

export const nothingExpected = (): Expected => ({ contents: new Map(), archived: new Set(), related: [] });

export interface Killing {
  readonly seed: number;
  readonly expected: Expected;
  /** How long it may write. */
  readonly ms: number;
  /** And at least until this holds. */
  readonly until?: () => boolean;
  readonly durability?: 'full' | 'process';
  /** Tables that the entries are to be spread over; default 1. */
  readonly shards?: number;
  /** Of Node, before the program. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Lets a process write for a while, kills it, and adds what it said to the expectation. */
export async function writeAndKill(folder: string, killing: Killing): Promise<number> {
  const { seed, expected, ms, durability = 'full', shards = 1, until = () => true, options = [], environment = {} } = killing;
  const child = spawn(process.execPath, [...options, WRITER, folder, String(seed), '8', durability, String(shards)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let acknowledged = 0;
  const lines: Line[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.ready !== undefined) resolve();
      lines.push(line);
    });
  });
  await Promise.race([ready, once(child, 'exit')]);
  await sleep(ms);
  // A busy machine writes little in that time.
  const hasWritten = (): boolean => lines.filter(({ end }) => end !== undefined).length > LEAST_ACKNOWLEDGED;
  while (!(until() && hasWritten()) && child.exitCode === null) await sleep(20);
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  const { contents, archived, related } = expected;
  for (const { begin, end, content, archive, related: pair, warn } of lines) {
    expect(warn).toBeUndefined();
    if (pair !== undefined) related.push(pair);
    if (begin !== undefined) contents.set(begin, [...(contents.get(begin) ?? [null]), content ?? null]);
    if (begin !== undefined && archive === true) archived.add(begin);
    if (begin !== undefined && archive === false) archived.delete(begin);
    if (end === undefined) continue;
    contents.set(end, (contents.get(end) ?? []).slice(-1));
    acknowledged += 1;
  }
  return acknowledged;
}

export async function expectAgreement(folder: string, { contents: expected, archived, related }: Expected): Promise<void> {
  const store = await openTestStore(folder);
  const entries = (await store.entries.list({}, { limit: 1_000_000, offset: 0, sort: 'createdAt' })).entries;
  const found = new Map(entries.map(({ id, content }) => [id, content]));
  expect(found.size).toBe(entries.length);
  for (const [id, allowed] of expected) {
    const content = found.get(id) ?? null;
    if (!allowed.includes(content)) throw new Error(`${id} holds ${content}, not one of ${JSON.stringify(allowed)}`);
    if (content === null) expected.delete(id);
    else expected.set(id, [content]);
  }
  expect(found.size).toBe(expected.size);
  for (const id of archived) expect([id, (await store.auxiliary.archive.get(id)) !== undefined]).toEqual([id, !found.has(id)]);
  const pairs = [...store.auxiliary.graph.all()].map(({ sourceId, targetId }) => `${sourceId} ${targetId}`);
  for (const pair of pairs) expect(pair.split(' ').filter((id) => !found.has(id))).toEqual([]);
  const lost = related.filter(([a, b]) => found.has(a) && found.has(b) && !pairs.includes(`${a} ${b}`));
  expect(lost).toEqual([]);
  expect((await store.auxiliary.relations.all()).length).toBe(pairs.length);
  const words = await store.searchKeywords({ tokens: queryTokens('walrus'), filter: {}, limit: found.size + 1 });
  expect(new Set(words.map(({ id }) => id))).toEqual(new Set(found.keys()));
  await store.close();
}

/** Kills a writing process so many times, each at another moment, and fails where the store does not hold what was acknowledged, or anything else. */
export async function expectNothingLostByKills(rounds: number): Promise<void> {
  await using folder = await temporaryFolder();
  const expected = nothingExpected();
  const next = random(7);
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    acknowledged += await writeAndKill(folder.path, { seed: round + 1, expected, ms: 100 + next() * 900 });
    await expectAgreement(folder.path, expected);
  }
  expect(acknowledged).toBeGreaterThan(rounds * LEAST_ACKNOWLEDGED);
}
