import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../src/memory/tokens.ts';
import { random } from '../bench/corpus.mjs';
import { temporaryFolder } from '../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../helpers/store.ts';

const WRITER = fileURLToPath(new URL('./writing-process.mjs', import.meta.url));
/** More of them by hand: `LORE_CRASH_ROUNDS=100 npx vitest run --config test/vitest.config.ts test/store/crash.test.ts`. */
const ROUNDS = Number(process.env['LORE_CRASH_ROUNDS'] ?? 6);

/** What an entry may hold: its acknowledged content, and that of a change under way; null is "not there". */
interface Expected {
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

/** Lets a process write for a while, kills it, and adds what it said to the expectation. */
async function writeAndKill(folder: string, { seed, expected, ms }: { seed: number; expected: Expected; ms: number }): Promise<number> {
  const child = spawn(process.execPath, [WRITER, folder, String(seed), '8'], { stdio: ['ignore', 'pipe', 'inherit'] });
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

async function expectAgreement(folder: string, { contents: expected, archived, related }: Expected): Promise<void> {
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
  for (const id of archived) expect([id, (await store.sides.archive.get(id)) !== undefined]).toEqual([id, !found.has(id)]);
  const pairs = [...store.sides.graph.all()].map(({ sourceId, targetId }) => `${sourceId} ${targetId}`);
  for (const pair of pairs) expect(pair.split(' ').filter((id) => !found.has(id))).toEqual([]);
  const lost = related.filter(([a, b]) => found.has(a) && found.has(b) && !pairs.includes(`${a} ${b}`));
  expect(lost).toEqual([]);
  expect((await store.sides.relations.all()).length).toBe(pairs.length);
  const words = await store.searchKeywords({ tokens: queryTokens('walrus'), filter: {}, limit: found.size + 1 });
  expect(new Set(words.map(({ id }) => id))).toEqual(new Set(found.keys()));
  await store.close();
}

describe('a store whose process is killed', () => {
  it(`holds every acknowledged change and nothing else, ${ROUNDS} times in a row`, async () => {
    await using folder = await temporaryFolder();
    const expected: Expected = { contents: new Map(), archived: new Set(), related: [] };
    const next = random(7);
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      acknowledged += await writeAndKill(folder.path, { seed: round + 1, expected, ms: 100 + next() * 900 });
      await expectAgreement(folder.path, expected);
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
  }, 600_000);
});

describe('a table beside the entries', () => {
  it('that a killed process had only begun to create keeps nobody from opening the store', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const { entry } = await store.entries.insert(row('walrus'));
    await store.close();
    const begun = path.join(folder.path, 'archive.lance', '_transactions');
    await mkdir(begun, { recursive: true });
    await writeFile(path.join(begun, '0-begun.txn'), 'x');
    const again = await openTestStore(folder.path);
    await again.entries.changes.archive(entry.id, { at: Date.now(), reason: 'forgotten', run: 'r' });
    await again.optimize();
    expect((await again.sides.archive.get(entry.id))?.entry.id).toBe(entry.id);
    await again.close();
  });
});

describe('a journal', () => {
  const journalFiles = async (folder: string): Promise<string[]> =>
    (await readdir(path.join(folder, 'journal'))).toSorted().map((name) => path.join(folder, 'journal', name));

  it('is read up to a record that was not written whole, wherever it was cut', async () => {
    await using folder = await temporaryFolder();
    await using copy = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (const content of ['first heron', 'second heron', 'third heron']) await store.entries.insert(row(content));
    await store.close();
    const [file] = (await journalFiles(folder.path)) as [string];
    const { length } = await readFile(file);
    for (const cut of [1, 5, 900, Math.floor(length / 3) + 7]) {
      const target = path.join(copy.path, String(cut));
      await cp(folder.path, target, { recursive: true });
      await truncate((await journalFiles(target))[0] as string, length - cut);
      const again = await openTestStore(target);
      const contents = (await allEntries(again)).map(({ content }) => content);
      expect(contents).toEqual(['first heron', 'second heron', 'third heron'].slice(0, cut > length / 3 ? 1 : 2));
      await again.entries.insert(row('fourth heron'));
      await again.close();
      const third = await openTestStore(target);
      expect(third.entries.count({})).toBe(contents.length + 1);
      await third.close();
    }
  });

  it('is read up to a record with a wrong byte in it', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (const content of ['first heron', 'second heron']) await store.entries.insert(row(content));
    await store.close();
    const [file] = (await journalFiles(folder.path)) as [string];
    const bytes = await readFile(file);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    const again = await openTestStore(folder.path);
    expect((await allEntries(again)).map(({ content }) => content)).toEqual(['first heron']);
    await again.close();
  });

  it('that was kept although the table has its rows changes nothing when it is read again', async () => {
    await using folder = await temporaryFolder();
    await using kept = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [first, second] = [row('first heron'), row('second heron')];
    await store.entries.insert(first);
    await store.entries.insert(second);
    const [file] = (await journalFiles(folder.path)) as [string];
    await copyFile(file, path.join(kept.path, 'journal'));
    await store.optimize();
    await store.entries.update(first.entry.id, (now) => ({ ...now, entry: { ...now.entry, priority: 'high' } }));
    await store.entries.remove(second.entry.id);
    await store.close();
    await copyFile(path.join(kept.path, 'journal'), file);
    const again = await openTestStore(folder.path);
    const entries = await allEntries(again);
    expect(entries.map(({ content, priority }) => [content, priority])).toEqual([['first heron', 'high']]);
    expect(await again.searchKeywords({ tokens: queryTokens('heron'), filter: {}, limit: 5 })).toHaveLength(1);
    await again.close();
  });
});
