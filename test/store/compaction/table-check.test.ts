import { expect, it } from 'vitest';
import { Catalog } from '../../../src/store/catalog/catalog.ts';
import { Memtable } from '../../../src/store/memtable/memtable.ts';
import { catalogEntryOf } from '../../../src/store/catalog/catalog-entry.ts';
import type { StoredRow } from '../../../src/store/format/rows.ts';
import { arrow } from '../../../src/store/format/schema.ts';
import { TableCheck } from '../../../src/store/compaction/table-check.ts';
import { row } from '../../helpers/store.ts';

const stored = (content: string): StoredRow => ({ ...row(content), writtenAt: 7 });
const [first, second] = [stored('harbour crane'), stored('yellow walrus')];

/** Whether a table of these rows is what is known of these entries, less what the newer rows bring. */
function agrees(rows: readonly Pick<StoredRow, 'entry' | 'writtenAt'>[], entries: readonly StoredRow[], newer?: Memtable): boolean {
  const check = new TableCheck();
  const table = arrow.tableFromArrays({
    id: rows.map(({ entry }) => entry.id),
    written_at: Float64Array.from(rows, ({ writtenAt }) => writtenAt),
  });
  const ids = arrow.vectorFromArray(
    rows.map(({ entry }) => entry.id),
    new arrow.Utf8(),
  );
  const plain = new arrow.Table({ id: ids, written_at: table.getChild('written_at')! });
  for (const batch of plain.batches) check.add(batch);
  const catalog = new Catalog();
  catalog.load(entries.map(catalogEntryOf));
  return check.agrees(catalog, newer === undefined ? [] : [newer], () => true);
}

it('agrees with a table of exactly the known rows', () => {
  expect(agrees([first, second], [first, second])).toBe(true);
});

it('finds a missing, extra, duplicate and outdated row', () => {
  expect(agrees([first], [first, second])).toBe(false);
  expect(agrees([first, second], [first])).toBe(false);
  expect(agrees([first, first, second], [first, second])).toBe(false);
  expect(agrees([first, { ...second, writtenAt: 6 }], [first, second])).toBe(false);
});

it('ignores rows newer than the table', () => {
  const newer = new Memtable();
  newer.put({ ...second, writtenAt: 8 }, true);
  expect(agrees([first], [first, { ...second, writtenAt: 8 }], newer)).toBe(true);
  expect(agrees([first, second], [first, { ...second, writtenAt: 8 }], newer)).toBe(true);
  newer.remove(first.entry.id);
  expect(agrees([first], [{ ...second, writtenAt: 8 }], newer)).toBe(true);
});
