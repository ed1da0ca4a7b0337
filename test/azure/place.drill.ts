import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { userDirectories } from '../../src/config/directories.ts';
import { openTestApp } from '../helpers/app.ts';
import { makeContainer } from '../helpers/azurite.ts';
import { failureOf } from '../helpers/failure.ts';
import { Pair } from '../helpers/shared-store.ts';
import { row } from '../helpers/store.ts';

/** The emulator answers the other tests too. */
const PATIENCE_MS = 120_000;

/** Two servers on a container of their own. */
async function openPair(): Promise<Pair> {
  const { uri, options } = await makeContainer();
  return await Pair.open({ place: uri, options });
}

describe('hook events for a store on object storage', () => {
  it('are queued in the data folder of the user, a test folder here', async () => {
    const { data } = userDirectories();
    expect(data.startsWith(tmpdir())).toBe(true);
    await using app = await openTestApp();
    const text = 'We decided to use Postgres instead of MySQL for orders.';
    await app.memories.capture.accept({ client: 'claude', session: 's', event: 'response', text });
    const container = new URL(app.storePath).hostname;
    expect((await readdir(join(data, 'capture'))).filter((name) => name.includes(container))).not.toEqual([]);
  });
});

describe('servers with one container', { timeout: 2 * PATIENCE_MS }, () => {
  it('see changes of others after a refresh', async () => {
    await using pair = await openPair();
    const { entry } = await pair.first.entries.insert(row('harbour crane'));
    const { entry: other } = await pair.second.entries.insert(row('yellow walrus'));
    await pair.second.entries.update(entry.id, (before) => ({ ...before, entry: { ...before.entry, tags: ['port'] } }));
    await pair.first.entries.remove(other.id);
    expect(await pair.contents()).toEqual(['harbour crane']);
    expect((await pair.first.entries.get(entry.id)).tags).toEqual(['port']);
    expect(await failureOf(pair.second.entries.get(other.id))).toMatchObject({ code: 'not_found' });
  });

  it('store the same content once, whichever server receives it', async () => {
    await using pair = await openPair();
    const saves = [pair.first, pair.second].flatMap((store) => Array.from({ length: 10 }, () => store.entries.insert(row('dawn cache'))));
    expect((await Promise.all(saves)).filter(({ status }) => status === 'stored')).toHaveLength(1);
    expect(await pair.contents()).toEqual(['dawn cache']);
  });

  it('read the tables that one of them has written, also in a server that starts later', async () => {
    await using pair = await openPair();
    await pair.maintained();
    for (let nth = 0; nth < 12; nth += 1) await [pair.first, pair.second][nth % 2]!.entries.insert(row(`beacon number ${nth}`));
    await pair.first.optimize();
    await pair.second.entries.insert(row('after the cycle'));
    const { tableVersion } = await pair.first.figures.table();
    await vi.waitFor(async () => expect((await pair.second.figures.table()).tableVersion).toBe(tableVersion), { timeout: PATIENCE_MS });
    expect(await pair.contents()).toHaveLength(13);
    const third = await pair.add({ name: 'c' });
    expect((await third.searchKeywords({ tokens: ['beacon'], filter: {}, limit: 20 })).length).toBe(12);
    expect((await third.figures.ofTable()).unindexedRows).toBe(0);
  });
});
