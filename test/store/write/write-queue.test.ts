import { expect, it } from 'vitest';
import { currentScope, runInScope } from '../../../src/memory/request-scope.ts';
import { Writer } from '../../../src/store/write/write-queue.ts';
import { gate } from '../../helpers/gate.ts';

const MIB = 1024 * 1024;

async function roundsOf(sizes: readonly number[]): Promise<number[]> {
  const rounds: number[] = [];
  const commit = (changes: readonly { bytes: number }[]): Promise<boolean> => Promise.resolve(rounds.push(changes.length) > 0);
  const writer = new Writer<{ bytes: number }>({ commit, ready: () => Promise.resolve(), bytesOf: ({ bytes }) => bytes });
  await Promise.all(sizes.map((bytes) => writer.submit({ bytes })));
  return rounds;
}

it('commits waiting changes together, up to the commit limit', async () => {
  expect(await roundsOf(Array.from({ length: 2001 }, () => 1))).toEqual([2000, 1]);
  expect(await roundsOf(Array.from({ length: 5 }, () => 5 * MIB))).toEqual([3, 2]);
  expect(await roundsOf([8 * MIB, 8 * MIB, 1])).toEqual([2, 1]);
});

it('commits an oversized change alone', async () => {
  expect(await roundsOf([MIB, 100 * MIB, MIB, MIB])).toEqual([1, 1, 2]);
});

it('commits undecided changes again with new ones, in order', async () => {
  const rounds: (readonly number[])[] = [];
  const commit = (changes: readonly { nth: number }[]): Promise<boolean> => {
    rounds.push(changes.map(({ nth }) => nth));
    if (rounds.length === 1) later.push(writer.submit({ nth: 3 }));
    return Promise.resolve(rounds.length > 2);
  };
  const writer = new Writer<{ nth: number }>({ commit, ready: () => Promise.resolve(), bytesOf: () => 0 });
  const later: Promise<void>[] = [];
  await Promise.all([writer.submit({ nth: 1 }), writer.submit({ nth: 2 })]);
  await Promise.all(later);
  expect(rounds).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

it('commits everything that arrives before it is ready', async () => {
  const rounds: number[] = [];
  const { opened, open } = gate();
  const commit = (changes: readonly object[]): Promise<boolean> => Promise.resolve(rounds.push(changes.length) > 0);
  const writer = new Writer<object>({ commit, ready: () => opened, bytesOf: () => 0 });
  const first = writer.submit({});
  await new Promise((resolve) => setImmediate(resolve));
  const others = [writer.submit({}), writer.submit({})];
  open();
  await Promise.all([first, ...others]);
  expect(rounds).toEqual([3]);
});

it('fails waiting changes if it cannot become ready, and no later ones', async () => {
  let nth = 0;
  const ready = (): Promise<void> => {
    nth += 1;
    return nth === 1 ? Promise.reject(new Error('out of reach')) : Promise.resolve();
  };
  const writer = new Writer<object>({ commit: () => Promise.resolve(true), ready, bytesOf: () => 0 });
  const outcomes = await Promise.allSettled([writer.submit({}), writer.submit({})]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await writer.submit({});
});

it('runs exclusive work between commits, in order', async () => {
  const seen: unknown[] = [];
  const commit = async (changes: readonly { nth: number }[]): Promise<boolean> => {
    seen.push(changes.map(({ nth }) => nth));
    await new Promise((resolve) => setImmediate(resolve));
    seen.push('committed');
    return true;
  };
  const writer = new Writer<{ nth: number }>({ commit, ready: () => Promise.resolve(), bytesOf: ({ nth }) => nth });
  const alone = (name: string) => async (): Promise<void> => {
    seen.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} is done`);
  };
  const all = [
    writer.exclusive(alone('first')),
    writer.exclusive(alone('second')),
    writer.submit({ nth: 1 }),
    writer.submit({ nth: 2 }),
    writer.exclusive(alone('third')),
    writer.submit({ nth: 3 }),
  ];
  expect(writer.waiting).toBe(6);
  await Promise.all(all);
  expect(writer.waiting).toBe(0);
  expect(seen).toEqual([
    'first',
    'first is done',
    'second',
    'second is done',
    [1, 2],
    'committed',
    'third',
    'third is done',
    [3],
    'committed',
  ]);
});

it('runs exclusive work without waiting to be ready', async () => {
  const writer = new Writer<object>({
    commit: () => Promise.resolve(true),
    ready: () => Promise.reject(new Error('not ready')),
    bytesOf: () => 0,
  });
  let isRun = false;
  await writer.exclusive(() => void (isRun = true));
  expect(isRun).toBe(true);
});

it('fails all changes of a failed commit, and exclusive work that fails, and continues', async () => {
  let isBroken = true;
  const commit = (): Promise<boolean> => (isBroken ? Promise.reject(new Error('disk')) : Promise.resolve(true));
  const writer = new Writer<object>({ commit, ready: () => Promise.resolve(), bytesOf: () => 0 });
  const alone = writer.exclusive(() => Promise.reject(new Error('alone')));
  const outcomes = await Promise.allSettled([writer.submit({}), writer.submit({}), alone]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : ''))).toEqual([
    'disk',
    'disk',
    'alone',
  ]);
  isBroken = false;
  await writer.submit({});
});

it('finishes accepted changes before it closes, and refuses later ones', async () => {
  const { opened, open } = gate();
  const seen: string[] = [];
  const writer = new Writer<object>({
    commit: async () => {
      await opened;
      seen.push('committed');
      return true;
    },
    ready: () => Promise.resolve(),
    bytesOf: () => 0,
  });
  const accepted = writer.submit({});
  const closed = writer.close().then(() => seen.push('closed'));
  await expect(writer.submit({})).rejects.toMatchObject({ code: 'unavailable' });
  await expect(writer.exclusive(() => undefined)).rejects.toMatchObject({ code: 'unavailable' });
  open();
  await Promise.all([accepted, closed]);
  expect(seen).toEqual(['committed', 'closed']);
  await writer.close();
});

it('commits for the first request, and for none once that has ended', async () => {
  const seen: (string | undefined)[] = [];
  const commit = (): Promise<boolean> => Promise.resolve(seen.push(currentScope()?.requestId) > 0);
  const writer = new Writer<object>({ commit, ready: () => Promise.resolve(), bytesOf: () => 0 });
  const asked = (requestId: string): Promise<void> => runInScope({ requestId, isOver: false }, () => writer.submit({}));
  await Promise.all([asked('one'), asked('two')]);
  await runInScope({ requestId: 'three', isOver: false }, () => writer.exclusive(() => void seen.push(currentScope()?.requestId)));
  const other = asked('four');
  await Promise.all([other, writer.exclusive(() => void seen.push(currentScope()?.requestId))]);
  expect(seen).toEqual(['one', 'three', 'four', undefined]);
});
