import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../src/memory/errors.ts';
import { IndexGuard } from '../../../src/store/read/index-guard.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** One that waits for a moment only, and how often it has renewed the indexes. */
function impatientGuard(): { guard: IndexGuard; renewals: () => number } {
  let renewed = 0;
  const renew = (): Promise<void> => {
    renewed += 1;
    return Promise.resolve();
  };
  return { guard: new IndexGuard(renew, { patienceMs: 30 }), renewals: () => renewed };
}

describe('a search that hangs', () => {
  it('is repeated without indexes', async () => {
    const { guard, renewals } = impatientGuard();
    const search = (): Promise<string> => (renewals() === 0 ? never() : Promise.resolve('found'));
    expect(await Promise.all([guard.run(search), guard.run(search)])).toEqual(['found', 'found']);
    expect(renewals()).toBe(1);
  });

  it('is given up if it hangs without them too, and they are unused from then on', async () => {
    const { guard, renewals } = impatientGuard();
    for (let nth = 0; nth < 2; nth += 1) await expect(guard.run(never)).rejects.toThrow(LoreError);
    expect(renewals()).toBe(1);
  });
});
