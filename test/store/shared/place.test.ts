import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openSharedStore } from '../../helpers/shared-store.ts';
import { allEntries, row } from '../../helpers/store.ts';

it('lets each server see what another wrote once it looks', async () => {
  await using folder = await temporaryFolder();
  const place = path.join(folder.path, 'place');
  const [first, second] = [await openSharedStore(place, folder.path), await openSharedStore(place, folder.path, { name: 'b' })];
  await first.entries.insert(row('harbour crane'));
  await second.entries.insert(row('yellow walrus'));
  await first.catchUp();
  expect((await allEntries(first)).map(({ content }) => content)).toEqual(['harbour crane', 'yellow walrus']);
  expect((await allEntries(second)).map(({ content }) => content)).toEqual(['harbour crane', 'yellow walrus']);
  await Promise.all([first.close(), second.close()]);
});
