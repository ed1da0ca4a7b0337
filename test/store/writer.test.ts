import { expect, it } from 'vitest';
import { Writer } from '../../src/store/writer.ts';

const MIB = 1024 * 1024;

async function roundsOf(sizes: readonly number[]): Promise<number[]> {
  const rounds: number[] = [];
  const commit = (changes: readonly { bytes: number }[]): Promise<void> => Promise.resolve(void rounds.push(changes.length));
  const writer = new Writer(commit, ({ bytes }) => bytes);
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
