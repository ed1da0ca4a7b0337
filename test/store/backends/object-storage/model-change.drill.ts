import { setTimeout as sleep } from 'node:timers/promises';
import * as lancedb from '@lancedb/lancedb';
import { describe, expect, it } from 'vitest';
import { embedText } from '../../../../src/embeddings/builtin.ts';
import type { EntryRow } from '../../../../src/store/format/rows.ts';
import type { VectorSpace } from '../../../../src/store/format/vector-space.ts';
import type { Store } from '../../../../src/store/store.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { contentsOf, Pair } from '../../../helpers/shared-store.ts';
import { row, SPACE } from '../../../helpers/store.ts';

const WIDE: VectorSpace = { fingerprint: 'test/wide/32/1', width: 32, kind: 'semantic' };
const SAME: VectorSpace = { fingerprint: 'test/other/384/1', width: 384, kind: 'semantic' };

/** A vector of another model: the words backwards. */
function vectorOf(text: string, { width }: VectorSpace): Float32Array {
  const vector = embedText(text.split(' ').toReversed().join('')).slice(0, width);
  vector[0] = 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const inSpace = (space: VectorSpace, { entry, ...more }: EntryRow): EntryRow => ({
  ...more,
  entry,
  vectors: { embedder: space.fingerprint, first: vectorOf(entry.content, space), further: [] },
});

async function nearest(store: Store, text: string, space: VectorSpace): Promise<string | undefined> {
  const vector = space === SPACE ? embedText(text) : vectorOf(text, space);
  const [hit] = await store.searchVectors({ vector, fingerprint: space.fingerprint, filter: {}, limit: 1 });
  return hit && (await store.entries.get(hit.id)).content;
}

async function collected(store: Store, space: VectorSpace): Promise<Awaited<ReturnType<Store['spaces']['collect']>>> {
  const next = await store.spaces.collect(space);
  for await (const rows of store.entries.scan(() => true)) await next.add(rows.map((one) => inSpace(space, one)));
  return next;
}

async function change(store: Store, space: VectorSpace, onRow: (row: EntryRow) => void = () => undefined): Promise<number> {
  const next = await collected(store, space);
  try {
    const changed = (one: EntryRow): EntryRow => {
      onRow(one);
      return one;
    };
    const switched = await store.spaces.switchTo({ space, next, change: changed, onSwitched: () => undefined });
    await next.drop();
    return switched;
  } finally {
    next.close();
  }
}

/** Resolves once the reads of this server are at vectors of a space. */
async function reached(store: Store, { fingerprint }: VectorSpace): Promise<void> {
  for (let nth = 0; store.spaces.current.fingerprint !== fingerprint && nth < 400; nth += 1) {
    await store.catchUp();
    await sleep(25);
  }
  expect(store.spaces.current.fingerprint).toBe(fingerprint);
}

const text = (nth: number): string => `beacon ${nth} over harbour ${nth * 7}`;

async function filled(pair: Pair, count = 40): Promise<void> {
  await pair.maintained();
  for (let nth = 0; nth < count; nth += 1)
    await [pair.first, pair.second][nth % 2]!.entries.insert(row(text(nth), { namespace: `team ${nth % 5}` }));
  await pair.first.optimize();
  await pair.second.catchUp();
}

describe.each([
  ['the same width', SAME, 1],
  ['another width', WIDE, 1],
  ['another width, in several tables', WIDE, 3],
])('switching a shared store to a model of %s', (_, space, shards) => {
  it('moves every server to the new vectors', async () => {
    await using pair = await Pair.open({ shards });
    await filled(pair);
    expect(await change(pair.first, space)).toBe(40);
    expect(await nearest(pair.first, text(7), space)).toBe(text(7));
    await reached(pair.second, space);
    expect([...pair.second.catalog.embedders()]).toEqual([[space.fingerprint, 40]]);
    for (const nth of [0, 13, 39]) expect(await nearest(pair.second, text(nth), space)).toBe(text(nth));
    await pair.second.entries.insert(inSpace(space, row('saved by the other one')));
    await pair.first.catchUp();
    await pair.first.optimize();
    const third = await pair.add({ name: 'c' });
    expect(third.spaces.named).toEqual(space);
    await third.spaces.serve(space);
    expect(await nearest(third, 'saved by the other one', space)).toBe('saved by the other one');
    expect(await nearest(third, text(7), space)).toBe(text(7));
    expect(await pair.contents()).toHaveLength(41);
  });

  it('leaves other servers on the old vectors until they refresh', async () => {
    await using pair = await Pair.open({ shards });
    await filled(pair);
    const next = await collected(pair.first, space);
    let isReplacing = false;
    const answers: Promise<unknown>[] = [];
    const asks = setInterval(() => {
      if (isReplacing) answers.push(pair.second.catchUp().then(() => nearest(pair.second, text(7), pair.second.spaces.current)));
    }, 10);
    const onRow = (one: EntryRow): EntryRow => {
      isReplacing = true;
      return one;
    };
    await pair.first.spaces.switchTo({ space, next, change: onRow, onSwitched: () => undefined });
    await reached(pair.second, space);
    clearInterval(asks);
    next.close();
    expect(answers.length).toBeGreaterThan(0);
    // Asked with the vector of one space, while the reads went over to the other.
    const found = new Set(await Promise.all(answers));
    found.delete(undefined);
    expect([...found]).toEqual([text(7)]);
  });

  it('that was interrupted leaves the old vectors, and can be repeated by another server', async () => {
    await using pair = await Pair.open({ shards });
    await filled(pair);
    let rows = 0;
    const giveUp = (): void => {
      rows += 1;
      if (rows === 20) throw new Error('the power went');
    };
    expect(await failureOf(change(pair.first, space, giveUp))).toMatchObject({ message: 'the power went' });
    for (const store of [pair.first, pair.second]) expect(await nearest(store, text(7), SPACE)).toBe(text(7));
    const third = await pair.add({ name: 'c', mayMaintain: false });
    expect(third.spaces.named).toBeUndefined();
    expect(await nearest(third, text(7), SPACE)).toBe(text(7));
    await pair.first.entries.insert(row('saved after it'));
    await pair.first.close();
    await pair.maintained(pair.second);
    expect(await pair.second.spaces.begun()).toBe(space.fingerprint);
    expect(await change(pair.second, space)).toBe(41);
    await reached(third, space);
    expect(await nearest(third, 'saved after it', space)).toBe('saved after it');
    expect(await nearest(third, text(7), space)).toBe(text(7));
    expect(await contentsOf(third)).toHaveLength(41);
  });

  it('keeps concurrent saves, with their vectors', async () => {
    await using pair = await Pair.open({ shards });
    await filled(pair);
    const saves: Promise<unknown>[] = [];
    const changed = await change(pair.first, space, ({ entry }) => {
      if (saves.length > 20) return;
      saves.push(pair.second.entries.insert(row(`meanwhile ${saves.length}`)));
      if (saves.length === 3) saves.push(pair.second.entries.remove(entry.id));
    });
    await Promise.all(saves);
    await reached(pair.second, space);
    await pair.first.catchUp();
    await pair.first.optimize();
    expect(changed).toBeGreaterThan(30);
    expect(await pair.contents()).toHaveLength(40 + saves.length - 2);
    expect(await nearest(pair.second, 'meanwhile 5', SPACE)).toBe('meanwhile 5');
    expect(await nearest(pair.second, text(39), space)).toBe(text(39));
  });
});

it('begins with the model requested last', async () => {
  await using pair = await Pair.open();
  await filled(pair, 6);
  (await pair.second.spaces.collect(WIDE)).close();
  expect(await pair.first.spaces.begun()).toBe(WIDE.fingerprint);
  (await pair.second.spaces.collect(SAME)).close();
  expect(await pair.first.spaces.begun()).toBe(SAME.fingerprint);
  const connection = await lancedb.connect(pair.place);
  const table = await connection.openTable('next_vectors');
  expect((await table.schema()).fields.map(({ name }) => name)).toContain('embedding');
  connection.close();
});
