import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { replay, seedOf, share } from './budget.ts';
import { expectAgreement } from './sequences/agreement.ts';
import { LivingStore } from './sequences/living-store.ts';
import { Model } from './sequences/model.ts';
import { exportAgain, importLines, merge, move, relate, rename, unrelate } from './sequences/moving-steps.ts';
import { find, findEveryWord, list } from './sequences/reading-steps.ts';
import { step as anyStep, type Step, type StepOf } from './sequences/steps.ts';
import { World } from './sequences/world.ts';
import { forget, patch, remove, restore, save, tag, undo } from './sequences/writing-steps.ts';

/** Of all cases those that are steps of a sequence. */
const SHARE = 0.3;
const STEPS = 45;
/** How long a sequence that failed is made shorter. */
const SHRINKING_MS = 60_000;
const FILE = 'test/fuzz/sequences.drill.ts';

type Ways = { readonly [K in Step['kind']]: (world: World, step: StepOf<K>) => Promise<void> };
const WAYS: Ways = {
  save,
  patch,
  remove,
  undo,
  forget,
  restore,
  tag,
  relate,
  unrelate,
  move,
  rename,
  merge,
  list,
  find,
  import: importLines,
  export: exportAgain,
  restart: async (world, step) => {
    await world.store.restart(step);
    await agree(world);
  },
};

async function agree(world: World): Promise<void> {
  await expectAgreement(world);
  await findEveryWord(world);
}

async function carryOut<K extends Step['kind']>(world: World, step: StepOf<K>): Promise<void> {
  const way: (world: World, step: StepOf<K>) => Promise<void> = WAYS[step.kind];
  await way(world, step);
}

/** Carries sequences out and compares; a sequence that fails is made shorter. */
async function expectAgreementAfter(sequences: fc.Arbitrary<readonly Step[]>, numRuns: number): Promise<void> {
  let failedAt: number | undefined;
  const property = fc.asyncProperty(sequences, async (steps) => {
    if (failedAt !== undefined && Date.now() - failedAt > SHRINKING_MS) return;
    await using store = await LivingStore.open();
    const world = new World(store, new Model());
    try {
      for (const step of steps) await carryOut(world, step);
      await agree(world);
      await carryOut(world, { kind: 'restart', merged: true, background: false });
    } catch (error) {
      failedAt ??= Date.now();
      throw new Error(`${String(error)}\n${replay(FILE)}`, { cause: error });
    }
  });
  await fc.assert(property, { seed: seedOf('sequences'), numRuns });
}

describe('a store after a random sequence of operations', () => {
  it('equals the model in every list, search, count and export', async () => {
    const sequences = fc.array(anyStep, { minLength: STEPS / 3, maxLength: (STEPS * 5) / 3, size: 'max' });
    await expectAgreementAfter(sequences, Math.max(3, Math.round(share(SHARE) / STEPS)));
  }, 3_600_000);
});
