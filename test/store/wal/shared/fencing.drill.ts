import path from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../../../src/store/backends/connection.ts';
import { createAuxiliaryTables } from '../../../../src/store/tables/auxiliary-tables.ts';
import { restoreTo } from '../../../../src/store/tables/table-opening.ts';
import { temporaryFolder } from '../../../helpers/folder.ts';
import { Pair } from '../../../helpers/shared-store.ts';
import { row } from '../../../helpers/store.ts';

const USE = { key: 'a', entry_id: 'a', recalls: 1, last_recalled_at: 1, body: '{}' };

it('writes begun by a replaced maintainer cannot be committed after the next one begins', async () => {
  await using folder = await temporaryFolder();
  const place = path.join(folder.path, 'place');
  const [former, next] = [await connect(place), await connect(place)];
  const version = (await createAuxiliaryTables(former))['usage']!;
  const [late, table] = [await former.openTable('usage'), await next.openTable('usage')];
  await restoreTo(late, version, { isShared: true });
  await late.add([USE]);
  const published = await late.version();
  await restoreTo(table, published, { isShared: true });
  for (const work of [() => late.add([USE]), () => late.delete("key = 'a'"), () => late.createIndex('key')]) {
    await expect(work()).rejects.toThrow('Restore');
  }
  await table.add([{ ...USE, key: 'b' }]);
  expect(await table.countRows()).toBe(2);
  for (const connection of [former, next]) connection.close();
});

it('a maintenance run with nothing to write keeps the version of all servers', async () => {
  await using pair = await Pair.open();
  await pair.maintained();
  await pair.first.entries.insert(row('harbour crane'));
  for (let nth = 0; nth < 3; nth += 1) await pair.first.optimize();
  const { tableVersion } = await pair.first.figures.table();
  await pair.first.optimize();
  expect((await pair.first.figures.table()).tableVersion).toBe(tableVersion);
});
