/** Many kills: `LORE_CRASH_ROUNDS=100 npx vitest run --config test/vitest.config.ts test/store/crash.drill.ts`. A few are in crash.test.ts. */
import { describe, expect, it } from 'vitest';
import { random } from '../bench/corpus.mjs';
import { readCheckpoint } from '../../src/store/format/checkpoint.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { expectAgreement, expectNothingLostByKills, nothingExpected, writeAndKill } from './killed-writer.ts';

const ROUNDS = Number(process.env['LORE_CRASH_ROUNDS'] ?? 6);

describe('a store whose process is killed', () => {
  it(`has exactly the acknowledged changes, ${ROUNDS} times in a row`, () => expectNothingLostByKills(ROUNDS), ROUNDS * 60_000);

  it(
    'has them also during resharding',
    async () => {
      await using folder = await temporaryFolder();
      const expected = nothingExpected();
      const next = random(8);
      const numbers = new Set<number | undefined>();
      let acknowledged = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const shards = 1 + ((round * 2) % 5);
        // Every other time once they have moved, else at any moment.
        const until = (): boolean => round % 2 === 0 || readCheckpoint(folder.path).entries?.length === shards;
        acknowledged += await writeAndKill(folder.path, { seed: round + 1, expected, ms: 100 + next() * 1900, shards, until });
        await expectAgreement(folder.path, expected);
        numbers.add(readCheckpoint(folder.path).entries?.length);
      }
      expect(numbers.size).toBeGreaterThan(1);
      expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
    },
    ROUNDS * 60_000,
  );
});
