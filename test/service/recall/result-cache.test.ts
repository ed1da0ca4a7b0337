import { expect, it, vi } from 'vitest';
import type { ScoredEntry } from '../../../src/memory/entry.ts';
import { ResultCache } from '../../../src/service/recall/result-cache.ts';
import { openTestApp } from '../../helpers/app.ts';

const whole = (): boolean => true;

it('an answer is cached until an entry is written or removed', async () => {
  let remove = (): void => {};
  const catalog = { newestVersion: 1 };
  const kept = new ResultCache({
    catalog,
    tell: (follower: (changes: readonly object[]) => void) => (remove = () => follower([{ id: 'a', before: 'a', after: undefined }])),
  } as never);
  const find = vi.fn<() => Promise<readonly ScoredEntry[]>>(async () => []);
  for (let nth = 0; nth < 3; nth += 1) await kept.of('amber', find, whole);
  expect(find).toHaveBeenCalledTimes(1);
  await kept.of('walrus', find, whole);
  expect(find).toHaveBeenCalledTimes(2);
  catalog.newestVersion = 2;
  await kept.of('amber', find, whole);
  expect(find).toHaveBeenCalledTimes(3);
  remove();
  await kept.of('amber', find, whole);
  expect(find).toHaveBeenCalledTimes(4);
});

it('an answer is not cached if something was written or part of it failed', async () => {
  const catalog = { newestVersion: 1 };
  const kept = new ResultCache({ catalog, tell: () => {} } as never);
  const find = vi.fn<() => Promise<readonly ScoredEntry[]>>(async () => {
    catalog.newestVersion += 1;
    return [];
  });
  await kept.of('amber', find, whole);
  await kept.of('amber', find, whole);
  expect(find).toHaveBeenCalledTimes(2);
  const partial = vi.fn<() => Promise<readonly ScoredEntry[]>>(async () => []);
  for (let nth = 0; nth < 2; nth += 1) await kept.of('walrus', partial, () => false);
  expect(partial).toHaveBeenCalledTimes(2);
});

it('a repeated query sees saves, changes and deletions', async () => {
  await using app = await openTestApp();
  const ask = async (): Promise<string[]> =>
    (await app.memories.recall({ query: 'amber walrus', namespace: 'a' })).results.map(({ entry }) => entry.content);
  await app.memories.save({ content: 'an amber walrus', namespace: 'a' });
  expect(await ask()).toEqual(['an amber walrus']);
  expect(await ask()).toEqual(['an amber walrus']);
  const { entry } = await app.memories.save({ content: 'a walrus of amber', namespace: 'a' });
  expect((await ask()).length).toBe(2);
  await app.memories.update(entry.id, { content: 'an amber walrus sleeps' });
  expect(await ask()).toContain('an amber walrus sleeps');
  await app.memories.forget(entry.id);
  expect(await ask()).toEqual(['an amber walrus']);
});
