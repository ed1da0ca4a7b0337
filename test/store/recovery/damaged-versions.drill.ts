import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../src/memory/errors.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import { clearUnfinishedStore } from '../../../src/store/backends/folder/creation.ts';
import { readCheckpoint } from '../../../src/store/format/checkpoint.ts';
import { manifestsOf, tableFolder, VERSIONS } from '../../../src/store/format/manifests.ts';
import { Quarantine, quarantined } from '../../../src/store/files/quarantine.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

type Harm = (file: string) => Promise<void>;

const HARMS: readonly (readonly [string, Harm])[] = [
  ['is empty', (file) => truncate(file, 0)],
  ['is cut in half', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['has a wrong byte', (file) => flip(file, 0.5)],
  ['has a wrong byte at its end', (file) => flip(file, 0.999)],
];

const GONE = ['is gone', (file: string) => rm(file)] as const;

async function flip(file: string, share: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[Math.floor(bytes.length * share)]! ^= 0xff;
  await writeFile(file, bytes);
}

const manifestFile = (store: string, table: string, version: number): string => {
  const found = manifestsOf(store, table).find((manifest) => manifest.version === version);
  return path.join(store, tableFolder(table), VERSIONS, found!.name);
};

/** A store that was written to in three cycles and holds two entries in its journal alone. */
async function makeStore(folder: string): Promise<void> {
  const store = await openTestStore(folder);
  for (let cycle = 0; cycle < 3; cycle += 1) {
    for (let nth = 0; nth < 5; nth += 1) await store.entries.insert(row(`heron ${cycle * 5 + nth}`));
    const [first, second] = await allEntries(store);
    const facts = { type: 'references', strength: cycle / 4, createdAt: 1, origin: 'manual' } as const;
    await store.entries.changes.relate({ ...facts, sourceId: first!.id, targetId: second!.id });
    await store.optimize();
  }
  for (const nth of [15, 16]) await store.entries.insert(row(`heron ${nth}`));
  await store.close();
}

/** What a cycle leaves that was cut short: a version of the table that nothing names. */
async function beginWork(folder: string, table: string): Promise<void> {
  const connection = await lancedb.connect(folder);
  const writer = await connection.openTable(table);
  await writer.delete('true');
  writer.close();
  connection.close();
}

const newest = (folder: string, table: string): number => manifestsOf(folder, table)[0]!.version;
const contents = async (store: Store): Promise<string[]> => (await allEntries(store)).map(({ content }) => content).toSorted();
const all = Array.from({ length: 17 }, (_, nth) => `heron ${nth}`).toSorted();

/** Opens it, and sees that it can be searched and written. */
async function expectWorks(folder: string, expected: readonly string[], see: (store: Store) => void = () => undefined): Promise<void> {
  const store = await openTestStore(folder);
  see(store);
  const losses = store.damages.filter(({ mayLose }) => mayLose);
  expect(await contents(store)).toEqual(expected);
  const found = await store.searchKeywords({ tokens: queryTokens('heron'), filter: {}, limit: 50 });
  expect(found).toHaveLength(expected.length);
  const added = await store.entries.insert(row('one more heron'));
  await store.optimize();
  await store.entries.remove(added.entry.id);
  await store.optimize();
  await store.close();
  const again = await openTestStore(folder);
  expect(await contents(again)).toEqual(expected);
  // A loss is reported until someone has dealt with it.
  expect(again.damages).toEqual(losses);
  await again.close();
}

describe('a version of the entries above the safe one', () => {
  it.each(HARMS.slice(0, 3))('that %s is quarantined, without loss', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await beginWork(folder.path, 'entries');
    await harm(manifestFile(folder.path, 'entries', newest(folder.path, 'entries')));
    await expectWorks(folder.path, all, ({ damages }) => {
      expect(damages.filter(({ mayLose }) => mayLose)).toEqual([]);
    });
  });

  it('stays in quarantine, and the path is reported', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await beginWork(folder.path, 'entries');
    const file = manifestFile(folder.path, 'entries', newest(folder.path, 'entries'));
    await truncate(file, 10);
    const store = await openTestStore(folder.path);
    const [place] = quarantined(folder.path);
    expect(store.damages.map(({ message }) => message).join()).toContain(path.basename(place!));
    expect((await readFile(path.join(place!, path.relative(folder.path, file)))).length).toBe(10);
    await store.close();
  });
});

describe('the safe version of the entries', () => {
  it.each([...HARMS.slice(0, 2), GONE])('that %s is replaced by the one before, with a warning of possible loss', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const safe = readCheckpoint(folder.path).entries![0]!.version;
    await harm(manifestFile(folder.path, 'entries', safe));
    const store = await openTestStore(folder.path);
    const kept = await contents(store);
    expect(kept).toEqual(expect.arrayContaining(['heron 0', 'heron 15', 'heron 16']));
    expect(store.damages).toMatchObject([{ mayLose: true, message: expect.stringMatching(/of 15 rows/) as string }]);
    await store.close();
    await expectWorks(folder.path, kept);
  });

  it('is not replaced by an empty store if no other is readable, and nothing is moved', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    for (const { version } of manifestsOf(folder.path, 'entries')) await truncate(manifestFile(folder.path, 'entries', version), 0);
    const before = await readdir(folder.path, { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining('damaged') as string,
    });
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  });

  it.each(['entries', 'relations'])('is not recreated if the versions of %s are gone', async (table) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await rm(path.join(folder.path, tableFolder(table), VERSIONS), { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
    expect(existsSync(path.join(folder.path, tableFolder(table), VERSIONS))).toBe(false);
  });

  it('is not recreated if the folder of entries is gone', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await rm(path.join(folder.path, tableFolder('entries')), { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
  });
});

describe('an unreadable older version', () => {
  it.each(HARMS.slice(1, 3))('and %s is quarantined, so that files can be removed again', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await harm(manifestFile(folder.path, 'entries', manifestsOf(folder.path, 'entries').at(-2)!.version));
    await expectWorks(folder.path, all, ({ damages }) => {
      expect(damages.filter(({ mayLose }) => mayLose)).toEqual([]);
    });
  });
});

describe('the hint of the newest version', () => {
  it.each(['garbage'])('may be %j', async (text) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await writeFile(path.join(folder.path, 'entries.lance', VERSIONS, 'latest_version_hint.json'), text);
    await expectWorks(folder.path, all, ({ damages }) => expect(damages).toEqual([]));
  });
});

describe('an auxiliary table', () => {
  const strengths = async (folder: string): Promise<number[]> => {
    const store = await openTestStore(folder);
    const found = [...store.auxiliary.graph.all()].map(({ strength }) => strength);
    await store.close();
    return found;
  };

  it.each(HARMS.slice(0, 1))('whose newest version was never safe and %s loses nothing', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await beginWork(folder.path, 'relations');
    await harm(manifestFile(folder.path, 'relations', newest(folder.path, 'relations')));
    expect(await strengths(folder.path)).toEqual([0.5]);
  });

  it('loses writes that were never secured', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await beginWork(folder.path, 'relations');
    expect(await strengths(folder.path)).toEqual([0.5]);
  });

  it.each([...HARMS.slice(0, 1), GONE])('whose safe version %s continues with the one before it, and reports it', async (_, harm) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await harm(manifestFile(folder.path, 'relations', newest(folder.path, 'relations')));
    const store = await openTestStore(folder.path);
    expect(store.damages).toMatchObject([{ mayLose: true, message: expect.stringContaining('relations') as string }]);
    expect(await contents(store)).toEqual(all);
    await store.close();
  });
});

describe('an auxiliary table that was safe and', () => {
  const emptied = async (table: string): Promise<void> => {
    await rm(table, { recursive: true });
    await mkdir(path.join(table, VERSIONS), { recursive: true });
  };

  it.each([['is gone', (table: string) => rm(table, { recursive: true })] as const, ['is empty', emptied] as const])(
    '%s is created again, reported until the quarantine is removed',
    async (_, harm) => {
      await using folder = await temporaryFolder();
      await makeStore(folder.path);
      await harm(path.join(folder.path, tableFolder('relations')));
      const store = await openTestStore(folder.path);
      expect(store.damages).toMatchObject([{ mayLose: true, message: expect.stringContaining('relations') as string }]);
      expect(readCheckpoint(folder.path).sides).not.toHaveProperty('relations');
      const { damages } = store;
      const [first, second] = await allEntries(store);
      const facts = { type: 'references', strength: 0.25, createdAt: 1, origin: 'manual' } as const;
      await store.entries.changes.relate({ ...facts, sourceId: first!.id, targetId: second!.id });
      await store.optimize();
      await store.close();
      const again = await openTestStore(folder.path);
      expect([...again.auxiliary.graph.all()].map(({ strength }) => strength)).toEqual([0.25]);
      expect([await contents(again), again.damages]).toEqual([all, damages]);
      await again.close();
    },
  );
});

/** The system does not let the rows of a table be read, whoever asks: links that lead to themselves. */
async function refuseRows(folder: string, table: string): Promise<void> {
  const data = path.join(folder, tableFolder(table), 'data');
  for (const name of await readdir(data)) {
    await rm(path.join(data, name));
    await symlink(name, path.join(data, name));
  }
}

describe('the format marker of a store', () => {
  it('is unchanged if the system does not allow reading it', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await refuseRows(folder.path, 'meta');
    const before = await readdir(folder.path, { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toBeInstanceOf(LoreError);
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  });

  it('is rewritten if unreadable', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    for (const { version } of manifestsOf(folder.path, 'meta')) await truncate(manifestFile(folder.path, 'meta', version), 0);
    await expectWorks(folder.path, all, ({ damages }) => expect(damages).toMatchObject([{ mayLose: false }]));
  });

  it.each(['', 'null'])('may be missing in a checkpoint that says %j', async (text) => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await writeFile(path.join(folder.path, 'head.json'), text);
    await expectWorks(folder.path, all, ({ damages }) => expect(damages).toMatchObject([{ mayLose: false }]));
  });
});

class EndsAfterOneMove extends Quarantine {
  #moved = false;

  override move(file: string): void {
    if (this.#moved) throw new Error('ended here');
    super.move(file);
    this.#moved = true;
  }
}

describe('a store whose creation lost power', () => {
  const begun = async (folder: string): Promise<void> => {
    const store = await openTestStore(folder);
    await store.close();
    await rm(path.join(folder, 'head.json'));
  };

  it('is created again if only its format marker is left', async () => {
    await using folder = await temporaryFolder();
    await begun(folder.path);
    for (const name of [tableFolder('entries'), 'journal']) await rm(path.join(folder.path, name), { recursive: true });
    await expectWorks(folder.path, [], ({ damages }) => expect(damages).toMatchObject([{ mayLose: false }]));
  });

  it('is not created again if it was complete: its entries are gone', async () => {
    await using folder = await temporaryFolder();
    await begun(folder.path);
    await rm(path.join(folder.path, tableFolder('entries')), { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
  });

  it('is created again also if the process ended while moving it aside', async () => {
    await using folder = await temporaryFolder();
    await begun(folder.path);
    for (const { version } of manifestsOf(folder.path, 'entries')) await truncate(manifestFile(folder.path, 'entries', version), 0);
    const clearing = clearUnfinishedStore({ path: folder.path, checkpoint: {}, quarantine: new EndsAfterOneMove(folder.path, silentLog) });
    await expect(clearing).rejects.toThrow('ended here');
    await expectWorks(folder.path, [], ({ damages }) => expect(damages).toMatchObject([{ mayLose: false }]));
  });

  it('is unchanged if the system does not allow reading it', async () => {
    await using folder = await temporaryFolder();
    await begun(folder.path);
    await refuseRows(folder.path, 'meta');
    const before = await readdir(folder.path, { recursive: true });
    await expect(openTestStore(folder.path)).rejects.toBeInstanceOf(LoreError);
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  });

  it('is moved aside and created again', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.close();
    await rm(path.join(folder.path, 'head.json'));
    for (const table of ['entries', 'meta'])
      for (const { version } of manifestsOf(folder.path, table)) await truncate(manifestFile(folder.path, table, version), 0);
    await expectWorks(folder.path, [], ({ damages }) => expect(damages).toMatchObject([{ mayLose: false }]));
  });
});
