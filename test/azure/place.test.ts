import { describe, expect, it, vi } from 'vitest';
import { makeContainer } from '../helpers/azurite.ts';
import { failureOf } from '../helpers/failure.ts';
import { Pair } from '../helpers/shared-store.ts';
import { row } from '../helpers/store.ts';

/** Two servers on a container of their own. */
async function openPair(): Promise<Pair> {
  const { uri, options } = await makeContainer();
  return await Pair.open({ place: uri, options });
}

describe('servers on one container', () => {
  it('see what another wrote, changed and removed once they look', async () => {
    await using pair = await openPair();
    const { entry } = await pair.first.entries.insert(row('harbour crane'));
    const { entry: other } = await pair.second.entries.insert(row('yellow walrus'));
    await pair.second.entries.update(entry.id, (before) => ({ ...before, entry: { ...before.entry, tags: ['port'] } }));
    await pair.first.entries.remove(other.id);
    expect(await pair.contents()).toEqual(['harbour crane']);
    expect((await pair.first.entries.get(entry.id)).tags).toEqual(['port']);
    expect(await failureOf(pair.second.entries.get(other.id))).toMatchObject({ code: 'not_found' });
  });

  it('keep the same content once, whichever of them is told it', async () => {
    await using pair = await openPair();
    const saves = [pair.first, pair.second].flatMap((store) => Array.from({ length: 10 }, () => store.entries.insert(row('dawn cache'))));
    expect((await Promise.all(saves)).filter(({ status }) => status === 'stored')).toHaveLength(1);
    expect(await pair.contents()).toEqual(['dawn cache']);
  });

  it('read the tables that one of them has written, also one that comes later', async () => {
    await using pair = await openPair();
    await pair.maintained();
    for (let nth = 0; nth < 12; nth += 1) await [pair.first, pair.second][nth % 2]!.entries.insert(row(`beacon number ${nth}`));
    await pair.first.optimize();
    await pair.second.entries.insert(row('after the cycle'));
    const { tableVersion } = await pair.first.figures.table();
    await vi.waitFor(async () => expect((await pair.second.figures.table()).tableVersion).toBe(tableVersion), { timeout: 20_000 });
    expect(await pair.contents()).toHaveLength(13);
    const third = await pair.add({ name: 'c' });
    expect((await third.searchKeywords({ tokens: ['beacon'], filter: {}, limit: 20 })).length).toBe(12);
    expect((await third.figures.ofTable()).unindexedRows).toBe(0);
  });
});
