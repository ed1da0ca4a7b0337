import { connect } from '@lancedb/lancedb';
import { expect, it } from 'vitest';
import { KeptVersions } from '../../../src/store/tables/kept-versions.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

it('releases commits before the oldest version in use, unless a local read uses an older one', async () => {
  await using folder = await temporaryFolder();
  const connection = await connect(folder.path);
  const table = await connection.createTable('numbers', [{ number: 1 }]);
  const kept = new KeptVersions(0);
  const first = await table.version();
  kept.note(first);
  await table.add([{ number: 2 }]);
  const second = await table.version();
  kept.note(second);
  const committed = (await table.listVersions()).find(({ version }) => version === second)!.timestamp.getTime();
  expect(await kept.oldest(table)).toBeLessThan(committed);
  expect(await kept.oldest(table, first)).toBeUndefined();
  expect(await kept.oldest(table, second)).toBeLessThan(committed);
  expect(await new KeptVersions(600_000).oldest(table)).toBeUndefined();
  connection.close();
});
