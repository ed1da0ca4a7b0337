import { expect, it } from 'vitest';
import { Writer } from '../../../src/store/writing/writer.ts';
import { gate } from '../../helpers/gate.ts';

const MIB = 1024 * 1024;

async function roundsOf(sizes: readonly number[]): Promise<number[]> {
  const rounds: number[] = [];
  const commit = (changes: readonly { bytes: number }[]): Promise<boolean> => Promise.resolve(rounds.push(changes.length) > 0);
  const writer = new Writer<{ bytes: number }>({ commit, ready: () => Promise.resolve(), bytesOf: ({ bytes }) => bytes });
  await Promise.all(sizes.map((bytes) => writer.submit({ bytes })));
  return rounds;
}

it('commits together what waits, as long as it is not too much for one commit', async () => {
  expect(await roundsOf(Array.from({ length: 2001 }, () => 1))).toEqual([2000, 1]);
  expect(await roundsOf(Array.from({ length: 5 }, () => 5 * MIB))).toEqual([3, 2]);
});

it('commits what is too much alone', async () => {
  expect(await roundsOf([MIB, 100 * MIB, MIB, MIB])).toEqual([1, 1, 2]);
});

it('gives what was not committed again, with what has come meanwhile, in its order', async () => {
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

it('commits together what comes until it is ready', async () => {
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

it('fails what waits where it cannot become ready, and nothing that comes later', async () => {
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
