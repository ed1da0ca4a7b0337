import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { random } from '../bench/corpus.mjs';
import { temporaryFolder } from '../helpers/folder.ts';
import { expectAgreement, nothingExpected, writeAndKill } from './killed-writer.ts';
import { cutPower, filesIn } from './power-cut.ts';

const RECORDER = fileURLToPath(new URL('./recorded-syncs.mjs', import.meta.url));
/** More of them by hand: `LORE_POWER_ROUNDS=30 npx vitest run --config test/vitest.config.ts test/store/power-loss.drill.ts`. */
const ROUNDS = Number(process.env['LORE_POWER_ROUNDS'] ?? 4);
/** Other draws of what is lost. */
const SEED = Number(process.env['LORE_POWER_SEED'] ?? 11);
/** Only Linux says which file a descriptor is of. */
const canRecord = process.platform === 'linux';

describe('a store whose machine loses power', () => {
  it.skipIf(!canRecord).each<[string, (round: number) => number]>([
    ['as it is', () => 1],
    ['while the entries are spread over another number of tables each time', (round: number) => 1 + ((round * 2) % 5)],
  ])(
    `has exactly the acknowledged changes without unsynced data, ${ROUNDS} times in a row (needs Linux): %s`,
    async (_how, shardsOf) => {
      await using folder = await temporaryFolder();
      const store = path.join(folder.path, 'store');
      const [log, kept] = [path.join(folder.path, 'syncs.jsonl'), path.join(folder.path, 'kept')];
      const expected = nothingExpected();
      const next = random(SEED);
      let [acknowledged, harmed] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        await rm(kept, { recursive: true, force: true });
        await mkdir(kept);
        await rm(log, { force: true });
        const before = await filesIn(store);
        const environment = { SYNC_LOG: log, SYNC_KEPT: kept };
        const options = ['--import', RECORDER];
        const shards = shardsOf(round);
        const ms = 50 + next() * (shards === 1 ? 1500 : 3000);
        acknowledged += await writeAndKill(store, { seed: round + 1, expected, ms, shards, options, environment });
        const withinMs = round % 2 === 0 ? Infinity : 50 + next() * 50;
        harmed += await cutPower({ store, before, log, withinMs, endedAt: Date.now(), random: next });
        await expectAgreement(store, expected);
      }
      expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
      expect(harmed).toBeGreaterThan(ROUNDS);
    },
    1_800_000,
  );
});
