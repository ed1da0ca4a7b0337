import { readFile, writeFile } from 'node:fs/promises';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { SaveRequest } from '../../../src/memory/operations/operations.ts';
import { CHECKPOINT_FILE } from '../../../src/store/format/checkpoint.ts';
import { testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore } from '../../helpers/store.ts';

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
const HIDDEN = 'own\u200ber';

const open = (folder: string): Promise<App> => openApp(testConfig(folder), { log: silentLog, cwd: folder, background: false });

/** A store in which these were saved, and the columns of those with the namespace `old` are then as an older version wrote them. */
async function oldStore(folder: string, saved: readonly SaveRequest[], columns: Readonly<Record<string, string>>): Promise<App> {
  const app = await open(folder);
  for (const request of saved) await app.memories.save(request);
  await app.close();
  const path = `${folder}/store`;
  const store = await openTestStore(path);
  await store.optimize();
  await store.close();
  const connection = await lancedb.connect(path);
  const table = await connection.openTable('entries');
  await table.update({ where: "namespace = 'old'", valuesSql: columns });
  const head = JSON.parse(await readFile(`${path}/${CHECKPOINT_FILE}`, 'utf8')) as object;
  await writeFile(`${path}/${CHECKPOINT_FILE}`, JSON.stringify({ ...head, version: await table.version() }));
  connection.close();
  return await open(folder);
}

const text = (value: string): string => `'${value}'`;

describe('names stored by an older version', () => {
  it('in NFD equal those in NFC', async () => {
    await using folder = await temporaryFolder();
    const app = await oldStore(
      folder.path,
      [
        { content: 'The tiger sleeps at noon', namespace: 'old', tags: ['x'] },
        { content: 'The lion eats at nine', namespace: 'old', tags: ['x'] },
        { content: 'The lion eats at nine', namespace: NFC, tags: ['kept'] },
      ],
      { namespace: text(NFD), container: text(NFD), tags: `['${NFD}', '${NFC}']` },
    );
    const { memories } = app;
    expect(await memories.namespaces()).toMatchObject([{ namespace: NFC, entries: 2, containers: [NFC] }]);
    expect((await memories.list({ namespace: NFC, tags: [NFC] })).total).toBe(2);
    expect((await memories.recall({ query: 'tiger', namespace: NFC })).results[0]?.entry).toMatchObject({ container: NFC, tags: [NFC] });
    expect((await memories.lifecycle.archived({ namespace: NFC })).total).toBe(1);
    expect((await memories.moves.rename({ from: NFC, to: 'plain' })).moved).toBe(2);
    await app.close();
    const again = await open(folder.path);
    expect(await again.memories.namespaces()).toMatchObject([{ namespace: 'plain', entries: 2 }]);
    await again.close();
  });

  it('with invisible characters can be seen, found, renamed and removed', async () => {
    await using folder = await temporaryFolder();
    const app = await oldStore(
      folder.path,
      [
        { content: 'The tiger sleeps at noon', namespace: 'old' },
        { content: 'The tiger sleeps at noon', namespace: 'owner' },
      ],
      { namespace: text(HIDDEN), container: text(HIDDEN), tags: "['a\u202eb']" },
    );
    const { memories } = app;
    const shown = 'own\ufffder';
    expect((await memories.namespaces()).map(({ namespace }) => namespace).toSorted()).toEqual(['owner', shown].toSorted());
    const [hit] = (await memories.recall({ query: 'tiger', namespace: shown })).results;
    expect(hit?.entry).toMatchObject({ namespace: shown, container: shown, tags: ['a\ufffdb'] });
    expect((await memories.list({ namespace: shown, tags: ['a\ufffdb'] })).total).toBe(1);
    expect((await memories.moves.rename({ from: shown, to: 'other' })).moved).toBe(1);
    const { token } = await memories.lifecycle.forgetMany({ namespace: 'other', permanent: true });
    expect((await memories.lifecycle.forgetMany({ namespace: 'other', permanent: true, confirm: token! })).matches).toBe(1);
    expect(await memories.namespaces()).toMatchObject([{ namespace: 'owner', entries: 1 }]);
    await app.close();
  });
});
