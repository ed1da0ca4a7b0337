import { readdir } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/memory/log.ts';
import { connect } from '../../../../src/store/backends/connection.ts';
import type { EntryRow } from '../../../../src/store/format/rows.ts';
import { entriesTables } from '../../../../src/store/format/shards.ts';
import { SharedLog } from '../../../../src/store/wal/shared/shared-log.ts';
import type { Store } from '../../../../src/store/store.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { contentsOf, Pair } from '../../../helpers/shared-store.ts';
import { row, SPACE } from '../../../helpers/store.ts';

const words = async (store: Store, token: string): Promise<string[]> =>
  (await store.searchKeywords({ tokens: [token], filter: {}, limit: 30 })).map(({ id }) => id);

describe('servers on one location', () => {
  it('see changes of others after a refresh', async () => {
    await using pair = await Pair.open();
    const { entry } = await pair.first.entries.insert(row('harbour crane'));
    const { entry: other } = await pair.second.entries.insert(row('yellow walrus'));
    expect(await pair.contents()).toEqual(['harbour crane', 'yellow walrus']);
    await pair.second.entries.update(entry.id, (before) => ({ ...before, entry: { ...before.entry, tags: ['port'] } }));
    await pair.first.entries.remove(other.id);
    expect(await pair.contents()).toEqual(['harbour crane']);
    expect((await pair.first.entries.get(entry.id)).tags).toEqual(['port']);
    expect(await failureOf(pair.second.entries.get(other.id))).toMatchObject({ code: 'not_found' });
  });

  it('store the same content once, whichever of them receives it', async () => {
    await using pair = await Pair.open();
    const saves = [pair.first, pair.second].flatMap((store) => Array.from({ length: 10 }, () => store.entries.insert(row('dawn cache'))));
    const results = await Promise.all(saves);
    expect(results.filter(({ status }) => status === 'stored')).toHaveLength(1);
    expect(new Set(results.map(({ entry }) => entry.id)).size).toBe(1);
    expect(await pair.contents()).toEqual(['dawn cache']);
  });

  it('carry out a request with a key once, whichever of them receives it', async () => {
    await using pair = await Pair.open();
    const request = { id: 'key 1', fingerprint: 'print', responseTo: (result: unknown) => JSON.stringify(result) };
    const tries = [pair.first, pair.second].flatMap((store) =>
      Array.from({ length: 5 }, (_, nth) => store.entries.insert(row(`fog bell ${nth}`), request).then(() => 'made', String)),
    );
    const made = (await Promise.all(tries)).filter((outcome) => outcome === 'made');
    expect(made).toHaveLength(1);
    expect(await pair.contents()).toHaveLength(1);
  });

  it('lose none of concurrent changes to one entry', async () => {
    await using pair = await Pair.open();
    const { entry } = await pair.first.entries.insert(row('token deploy'));
    const tags = Array.from({ length: 8 }, (_, nth) => `t${nth}`);
    await Promise.all(
      tags.map((tag, nth) =>
        [pair.first, pair.second][nth % 2]!.entries.update(entry.id, (before) => ({
          ...before,
          entry: { ...before.entry, tags: [...before.entry.tags, tag], updatedAt: Date.now() + nth },
        })),
      ),
    );
    await pair.contents();
    for (const store of [pair.first, pair.second]) expect((await store.entries.get(entry.id)).tags.toSorted()).toEqual(tags);
  });

  it('add up their use counts', async () => {
    await using pair = await Pair.open();
    const { entry } = await pair.first.entries.insert(row('train vault'));
    const use = { entryId: entry.id, recalls: 2, lastRecalledAt: 1 };
    await pair.first.keepUsage([use]);
    await pair.second.keepUsage([{ ...use, recalls: 3 }]);
    await pair.contents();
    for (const store of [pair.first, pair.second]) expect((await store.auxiliary.counts()).get(entry.id)?.recalls).toBe(5);
    await pair.maintained();
    await pair.first.optimize();
    const third = await pair.add({ name: 'c' });
    expect((await third.auxiliary.counts()).get(entry.id)?.recalls).toBe(5);
  });
});

describe('the tables of a shared store', () => {
  it('are written by one server, and reads of the others move to its version', async () => {
    await using pair = await Pair.open();
    await pair.maintained();
    expect(pair.second.maintains).toBe(false);
    const ids: string[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      const { entry } = await [pair.first, pair.second][nth % 2]!.entries.insert(row(`beacon number ${nth}`));
      ids.push(entry.id);
    }
    await pair.first.entries.remove(ids[0]!);
    await pair.first.optimize();
    await pair.second.entries.insert(row('after the cycle'));
    expect(await pair.contents()).toHaveLength(20);
    const { tableVersion } = await pair.first.figures.table();
    await vi.waitFor(async () => expect((await pair.second.figures.table()).tableVersion).toBe(tableVersion), { timeout: 20_000 });
    for (const store of [pair.first, pair.second]) {
      expect((await words(store, 'beacon')).length).toBe(19);
      expect((await store.figures.ofTable()).unindexedRows).toBe(0);
    }
    expect(await failureOf(pair.second.optimize())).toMatchObject({ code: 'conflict' });
  });

  it('are taken over from a server that vanished, with its marks', async () => {
    await using pair = await Pair.open();
    await Promise.all([pair.first.close(), pair.second.close()]);
    const follower = await pair.add({ name: 'c', mayMaintain: false });
    const gone = await SharedLog.open({
      connect: () => connect(pair.place),
      server: 'gone',
      timeoutMs: 10_000,
      leaseMs: 1_500,
      log: silentLog,
      onEvent: () => undefined,
    });
    expect(await gone.takeLease()).toBe(true);
    await follower.entries.insert(row('before the mark'));
    await gone.mark();
    await gone.close();
    await follower.entries.insert(row('after the mark'));
    const next = await pair.add({ name: 'd' });
    await pair.maintained(next);
    await next.optimize();
    await follower.catchUp();
    for (const store of [next, follower, await pair.add({ name: 'e' })]) {
      expect(await contentsOf(store)).toEqual(['after the mark', 'before the mark']);
      await vi.waitFor(async () => expect((await store.figures.table()).unindexedRows).toBe(0), { timeout: 20_000 });
    }
  });

  it('are found with all later changes by a reopening server', async () => {
    await using pair = await Pair.open();
    await pair.maintained();
    const { entry } = await pair.first.entries.insert(row('first harbour'));
    await pair.first.optimize();
    await pair.second.entries.insert(row('second harbour'));
    await pair.second.entries.update(entry.id, (before) => ({ ...before, entry: { ...before.entry, priority: 'high' } }));
    await Promise.all([pair.first.close(), pair.second.close()]);
    const again = await pair.add({ name: 'a' });
    expect(await contentsOf(again)).toEqual(['first harbour', 'second harbour']);
    expect((await again.entries.get(entry.id)).priority).toBe('high');
    await pair.maintained(again);
  });

  it('exclude late writes of a replaced server', async () => {
    await using pair = await Pair.open();
    await pair.maintained();
    await pair.first.entries.insert(row('harbour crane'));
    await pair.first.optimize();
    const late = await connect(pair.place);
    await (await late.openTable('entries')).delete('true');
    await (await late.openTable('usage')).add([{ key: 'x', entry_id: 'x', recalls: 1, last_recalled_at: 1, body: '{}' }]);
    late.close();
    const { entry } = await pair.second.entries.insert(row('yellow walrus'));
    await pair.second.keepUsage([{ entryId: entry.id, recalls: 1, lastRecalledAt: 1 }]);
    await pair.first.catchUp();
    await pair.first.optimize();
    const third = await pair.add({ name: 'c' });
    expect(await contentsOf(third)).toEqual(['harbour crane', 'yellow walrus']);
    expect(await words(third, 'crane')).toHaveLength(1);
    expect([...(await third.auxiliary.counts()).keys()]).toEqual([entry.id]);
  });

  it('have the configured number of shards, each read separately', async () => {
    await using pair = await Pair.open({ shards: 3 });
    await pair.maintained();
    const inTeam = (nth: number): EntryRow => row(`beacon number ${nth}`, { namespace: `team ${nth % 5}` });
    for (let nth = 0; nth < 20; nth += 1) await [pair.first, pair.second][nth % 2]!.entries.insert(inTeam(nth));
    await pair.first.optimize();
    await pair.second.entries.insert(inTeam(20));
    const late = await pair.first.entries.insert(inTeam(21));
    await pair.first.entries.update(late.entry.id, (old) => ({ ...old, entry: { ...old.entry, namespace: 'team 9' } }));
    await pair.first.optimize();
    expect(await pair.contents()).toHaveLength(22);
    const third = await pair.add({ name: 'c', shards: 1 });
    expect(await contentsOf(third)).toHaveLength(22);
    expect(await words(third, 'beacon')).toHaveLength(22);
    expect(third.entries.count({ namespaces: ['team 9'] })).toBe(1);
    const tables = (await readdir(pair.place)).filter((name) => name.startsWith('entries'));
    expect(tables.toSorted()).toEqual(entriesTables(3).map((name) => `${name}.lance`));
  });

  it('accept vectors of another width only by a model switch', async () => {
    await using pair = await Pair.open();
    expect(await failureOf(pair.first.spaces.serve({ ...SPACE, width: 8 }))).toMatchObject({ code: 'config' });
    expect(pair.first.spaces.current).toEqual(SPACE);
  });
});

it('tells a server that was offline too long to reopen the store', async () => {
  await using pair = await Pair.open();
  await Promise.all([pair.first.close(), pair.second.close()]);
  let isLost = false;
  const away = await pair.add({ name: 'c', mayMaintain: false, onLost: () => (isLost = true) });
  const settings = { connect: () => connect(pair.place), timeoutMs: 10_000, leaseMs: 60_000, log: silentLog, onEvent: () => undefined };
  const other = await SharedLog.open({ ...settings, server: 'other', retainMs: 0 });
  expect(await other.takeLease()).toBe(true);
  expect(await other.closeSegment()).toBe(true);
  expect(await other.publish((await other.mark())!, other.beginning.checkpoint)).toBe(true);
  await other.trim();
  await other.release();
  await other.close();
  expect(await failureOf(away.entries.insert(row('harbour crane')))).toMatchObject({ code: 'unavailable' });
  expect(isLost).toBe(true);
  expect(await away.isWritable()).toBe(false);
  const again = await pair.add({ name: 'c' });
  await again.entries.insert(row('harbour crane'));
  expect(await contentsOf(again)).toEqual(['harbour crane']);
});
