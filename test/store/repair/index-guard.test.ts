import { describe, expect, it } from 'vitest';
import { LoreError } from '../../../src/memory/errors.ts';
import { IndexGuard } from '../../../src/store/repair/index-guard.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a search that does not answer', () => {
  it('is tried again without the indexes', async () => {
    let renewed = 0;
    const guard = new IndexGuard(
      () => {
        renewed += 1;
        return Promise.resolve();
      },
      { patienceMs: 30 },
    );
    const search = (): Promise<string> => (renewed === 0 ? never() : Promise.resolve('found'));
    expect(await Promise.all([guard.run(search), guard.run(search)])).toEqual(['found', 'found']);
    expect(renewed).toBe(1);
  });

  it('is given up where it does not answer without them either, and they are left alone from then on', async () => {
    let renewed = 0;
    const guard = new IndexGuard(
      () => {
        renewed += 1;
        return Promise.resolve();
      },
      { patienceMs: 30 },
    );
    for (let nth = 0; nth < 2; nth += 1) await expect(guard.run(never)).rejects.toThrow(LoreError);
    expect(renewed).toBe(1);
  });
});
