import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { embedText } from '../../../src/embeddings/builtin.ts';
import { Scheduler } from '../../../src/jobs/scheduler.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { noTelemetry } from '../../../src/memory/telemetry.ts';
import { Scrub } from '../../../src/service/scrub.ts';
import { CHECKSUMS_FILE, readChecksums } from '../../../src/store/files/checksums.ts';
import { readCheckpoint } from '../../../src/store/format/checkpoint.ts';
import { manifestsOf } from '../../../src/store/format/manifests.ts';
import type { Store } from '../../../src/store/store.ts';
import type { VerifyReport } from '../../../src/memory/operations/operations.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../../helpers/store.ts';

async function verified(store: Store): Promise<VerifyReport> {
  const scheduler = new Scheduler({ background: false, log: silentLog, telemetry: noTelemetry });
  const scrub = new Scrub({ store, scheduler, log: silentLog, intervalMs: 0 });
  try {
    return await scrub.verify();
  } finally {
    await scheduler.close();
  }
}

/** A store of some herons in its tables, closed. */
async function makeStore(folder: string): Promise<void> {
  const store = await openTestStore(folder);
  await Promise.all(Array.from({ length: 30 }, (_, nth) => store.entries.insert(row(`heron number ${nth}`))));
  await store.optimize();
  await store.close();
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
}

/** So many wrong bytes at half of a file. */
async function spoil(file: string, bytes = 1): Promise<void> {
  const content = await readFile(file);
  for (let nth = 0; nth < bytes; nth += 1) content[Math.floor(content.length / 2) + nth]! ^= 0x5a;
  await writeFile(file, content);
}

describe('the checksums of a store', () => {
  it('cover exactly the files of the versions in the checkpoint', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const [summed] = readChecksums(folder.path)!.get('entries')!;
    expect(summed!.version).toBe(readCheckpoint(folder.path).entries![0]!.version);
    const kinds = new Set([...summed!.files.keys()].map((file) => file.split('/')[0]));
    expect(kinds).toEqual(new Set(['data', '_versions', '_indices']));
    for (const [file, { bytes }] of summed!.files) {
      expect((await readFile(path.join(folder.path, 'entries.lance', file))).length).toBe(bytes);
    }
  });

  it('find a wrong byte of a vector, and name the entries of the file', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const [file] = await filesBelow(path.join(folder.path, 'entries.lance', 'data'));
    await spoil(file!);
    const store = await openTestStore(folder.path);
    const ids = (await allEntries(store)).map(({ id }) => id);
    const { altered, files } = await verified(store);
    expect(altered).toEqual([]);
    expect(files!.wrong).toMatchObject([{ path: path.relative(folder.path, file!), table: 'entries', kind: 'data' }]);
    expect(new Set(files!.wrong[0]!.entries)).toEqual(new Set(ids));
    await store.close();
  });

  it('distinguish an index, which is rebuilt without loss', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const [file] = (await filesBelow(path.join(folder.path, 'entries.lance', '_indices'))).toSorted();
    await spoil(file!);
    const store = await openTestStore(folder.path);
    expect((await verified(store)).files!.wrong).toMatchObject([{ kind: 'index', entries: [] }]);
    await store.optimize();
    const again = await verified(store);
    expect(again.files).toMatchObject({ wrong: [], withoutChecksum: 0 });
    await store.close();
  });

  it('correct one wrong byte of a manifest, and report it', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const { version } = readCheckpoint(folder.path).entries![0]!;
    const manifest = manifestsOf(folder.path, 'entries').find((candidate) => candidate.version === version)!;
    const file = path.join(folder.path, 'entries.lance', '_versions', manifest.name);
    const before = await readFile(file);
    await spoil(file);
    const store = await openTestStore(folder.path);
    expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining('corrected from its checksum') as string }]);
    expect(await allEntries(store)).toHaveLength(30);
    await store.close();
    expect(await readFile(file)).toEqual(before);
  });

  it('correct one wrong byte of a vector before its row is rewritten, and report it', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const [file] = await filesBelow(path.join(folder.path, 'entries.lance', 'data'));
    await spoil(file!);
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('one more heron'));
    await store.optimize();
    expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining('corrected from its checksum') as string }]);
    for await (const rows of store.entries.scan(() => true)) {
      for (const { entry, vectors } of rows) expect(vectors!.first).toEqual(embedText(entry.content));
    }
    await store.close();
  });

  it('report rows rewritten from a file with more wrong bytes as possibly wrong', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const [file] = await filesBelow(path.join(folder.path, 'entries.lance', 'data'));
    await spoil(file!, 8);
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('one more heron'));
    await store.optimize();
    const place = path.relative(folder.path, file!);
    expect(store.damages).toMatchObject([{ mayLose: true, message: expect.stringContaining(place) as string }]);
    expect(existsSync(path.join(folder.path, store.damages[0]!.recordedIn!, place))).toBe(true);
    await store.close();
  });

  it('are created for a store without them, after its entries were verified', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await rm(path.join(folder.path, CHECKSUMS_FILE));
    const store = await openTestStore(folder.path);
    const first = (await verified(store)).files!;
    expect([first.checked, first.withoutChecksum > 0, first.wrong]).toEqual([0, true, []]);
    const second = (await verified(store)).files!;
    expect([second.checked, second.withoutChecksum]).toEqual([first.withoutChecksum, 0]);
    await store.close();
  });

  it('are recreated if they do not match, with a report', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    await spoil(path.join(folder.path, CHECKSUMS_FILE));
    const store = await openTestStore(folder.path);
    expect(store.damages).toMatchObject([{ mayLose: false, message: expect.stringContaining(CHECKSUMS_FILE) as string }]);
    expect((await verified(store)).files).toMatchObject({ checked: 0, wrong: [] });
    expect(existsSync(path.join(folder.path, CHECKSUMS_FILE))).toBe(true);
    await store.close();
  });

  it('follow the store: unused files are dropped', async () => {
    await using folder = await temporaryFolder();
    await makeStore(folder.path);
    const store = await openTestStore(folder.path);
    for (let nth = 0; nth < 6; nth += 1) {
      await store.entries.insert(row(`crane number ${nth}`));
      await store.optimize();
      expect((await verified(store)).files).toMatchObject({ wrong: [], withoutChecksum: 0 });
    }
    await store.close();
    for (const [table, versions] of readChecksums(folder.path)!) {
      for (const file of versions[0]!.files.keys()) expect(existsSync(path.join(folder.path, `${table}.lance`, file))).toBe(true);
      expect(versions.length).toBeLessThanOrEqual(2);
    }
  });
});
