import { copyFile, cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../src/memory/words/tokens.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../helpers/store.ts';
import { logFiles as countedFiles } from '../../src/store/wal/log-files.ts';
import { decodeRecords, encodeRecord } from '../../src/store/format/log-record.ts';
import { quarantined } from '../../src/store/files/quarantine.ts';
import { expectAgreement, expectNothingLostByKills, nothingExpected, writeAndKill } from './killed-writer.ts';

const ROUNDS = 3;

describe('a store whose process is killed', () => {
  it(`has exactly the acknowledged changes, ${ROUNDS} times in a row`, () => expectNothingLostByKills(ROUNDS), ROUNDS * 60_000);

  it(
    'has every acknowledged change also without syncing',
    async () => {
      await using folder = await temporaryFolder();
      const expected = nothingExpected();
      let acknowledged = 0;
      for (const seed of Array.from({ length: Math.ceil(ROUNDS / 3) }, (_, nth) => nth + 1)) {
        acknowledged += await writeAndKill(folder.path, { seed, expected, ms: 200 + 100 * (seed % 7), durability: 'process' });
        await expectAgreement(folder.path, expected);
      }
      expect(acknowledged).toBeGreaterThan(10);
    },
    ROUNDS * 60_000,
  );
});

describe('an auxiliary table', () => {
  it('that a killed process began to create does not prevent opening', async () => {
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
    expect((await again.auxiliary.archive.get(entry.id))?.entry.id).toBe(entry.id);
    await again.close();
  });
});

describe('a write-ahead log', () => {
  const logFiles = async (folder: string): Promise<string[]> =>
    (await readdir(path.join(folder, 'journal'))).toSorted().map((name) => path.join(folder, 'journal', name));

  it('is counted without a file that vanishes meanwhile', async () => {
    await using folder = await temporaryFolder();
    await mkdir(path.join(folder.path, 'journal'));
    await writeFile(path.join(folder.path, 'journal', '0000000001.log'), 'x');
    // Named, and not there.
    await symlink('gone', path.join(folder.path, 'journal', '0000000002.log'));
    expect(countedFiles(folder.path)).toEqual([{ path: 'journal/0000000001.log', bytes: 1, isFinal: false }]);
  });

  it('is read up to an incomplete record, wherever it was cut', async () => {
    await using folder = await temporaryFolder();
    await using copy = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (const content of ['first heron', 'second heron', 'third heron']) await store.entries.insert(row(content));
    await store.close();
    const [file] = (await logFiles(folder.path)) as [string];
    const { length } = await readFile(file);
    for (const cut of [1, 5, 900, Math.floor(length / 3) + 7]) {
      const target = path.join(copy.path, String(cut));
      await cp(folder.path, target, { recursive: true });
      await truncate((await logFiles(target))[0] as string, length - cut);
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

  it('is read up to a record with a wrong byte', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    for (const content of ['first heron', 'second heron']) await store.entries.insert(row(content));
    await store.close();
    const [file] = (await logFiles(folder.path)) as [string];
    const bytes = await readFile(file);
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(file, bytes);
    const again = await openTestStore(folder.path);
    expect((await allEntries(again)).map(({ content }) => content)).toEqual(['first heron']);
    await again.close();
  });

  it('with a wrong byte in the middle yields later appends, reports it and keeps a copy', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const contents = ['first heron', 'second heron', 'third heron', 'fourth heron'];
    for (const content of contents) await store.entries.insert(row(content));
    await store.close();
    const [file] = (await logFiles(folder.path)) as [string];
    const bytes = await readFile(file);
    bytes[bytes.indexOf('second heron')]! ^= 1;
    await writeFile(file, bytes);
    const again = await openTestStore(folder.path);
    expect((await allEntries(again)).map(({ content }) => content)).toEqual(['first heron', 'third heron', 'fourth heron']);
    expect(again.damages).toMatchObject([{ mayLose: true, message: expect.stringContaining(path.basename(file)) as string }]);
    const [place] = quarantined(folder.path);
    expect(await readFile(path.join(place!, 'journal', path.basename(file)))).toEqual(bytes);
    const { damages } = again;
    // Without being asked: the next start must not find it again.
    await expect.poll(() => again.maintenance, { timeout: 20_000 }).toBe('idle');
    await again.close();
    const third = await openTestStore(folder.path);
    expect([third.entries.count({}), third.damages]).toEqual([3, damages]);
    expect(quarantined(folder.path)).toEqual([place]);
    await rm(place!, { recursive: true });
    expect(third.damages).toEqual([]);
    await third.close();
  });

  it('yields no part of a change whose first part is unreadable', () => {
    const side = { op: 'side', table: 'archive', key: 'a' } as const;
    const removal = { op: 'remove', id: 'a', writtenAt: 2, archived: true } as const;
    const first = encodeRecord({ op: 'remove', id: 'z', writtenAt: 1 }, 0);
    const change = [side, removal].map((record) => encodeRecord(record, first.length));
    const last = encodeRecord({ op: 'remove', id: 'y', writtenAt: 3 }, first.length + change[0]!.length + change[1]!.length);
    const bytes = Buffer.concat([first, ...change, last]);
    expect(decodeRecords(bytes).records).toHaveLength(4);
    bytes[first.length + 20]! ^= 1;
    const { records, damagedBytes } = decodeRecords(bytes);
    expect(records).toMatchObject([{ id: 'z' }, { id: 'y' }]);
    expect(damagedBytes).toBe(change[0]!.length + change[1]!.length);
  });

  it('that was kept after its flush changes nothing when it is read again', async () => {
    await using folder = await temporaryFolder();
    await using kept = await temporaryFolder();
    const store = await openTestStore(folder.path);
    const [first, second] = [row('first heron'), row('second heron')];
    await store.entries.insert(first);
    await store.entries.insert(second);
    const [file] = (await logFiles(folder.path)) as [string];
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
