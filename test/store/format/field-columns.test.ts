import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { ENTRY_FIELDS } from '../../../src/memory/entry-fields.ts';
import type { Entry } from '../../../src/memory/entry.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { FolderTables } from '../../../src/store/backends/folder/folder-tables.ts';
import { CatalogEntryReader, catalogEntryColumns, type CatalogEntry } from '../../../src/store/catalog/catalog-entry.ts';
import { Quarantine } from '../../../src/store/files/quarantine.ts';
import { FileSums } from '../../../src/store/tables/file-sums.ts';
import { CheckpointKeeper } from '../../../src/store/format/checkpoint.ts';
import { FieldColumns } from '../../../src/store/format/field-columns.ts';
import { rowsOf, toArrowTable } from '../../../src/store/format/rows.ts';
import { entriesSchema, fieldColumns } from '../../../src/store/format/schema.ts';
import { Database } from '../../../src/store/tables/database.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { row } from '../../helpers/store.ts';

/** The fields of an entry, and two that were made up. */
const FIELDS = {
  ...ENTRY_FIELDS,
  author: { schema: z.string(), column: ['author', 'text?'], optional: true, catalog: true },
  remark: { schema: z.string(), column: ['remark', 'text?'], optional: true },
} as const;
const COLUMNS = new FieldColumns(FIELDS);

function stored(content: string, more: object = {}) {
  const made = row(content);
  return { ...made, entry: { ...made.entry, ...more } as Entry, writtenAt: 1 };
}

function place(storePath: string): FolderTables {
  const head = new CheckpointKeeper(storePath, {}, { synced: false });
  const quarantine = new Quarantine(storePath, silentLog);
  const sums = FileSums.load({ path: storePath, synced: false, quarantine });
  return new FolderTables({ path: storePath, synced: false, checkpoint: head, quarantine, sums, shards: 1 });
}

describe('a field added to the definition of an entry', () => {
  it('gets a column, is written, and is read from rows and into the catalog', () => {
    const schema = entriesSchema(384, FIELDS);
    const table = toArrowTable([stored('one', { author: 'Ada', remark: 'first' }), stored('two')], schema, COLUMNS);
    const [batch] = table.batches;
    const known = new CatalogEntryReader(COLUMNS).read(batch!);
    expect(known.map((one) => (one as CatalogEntry & { author?: string }).author)).toEqual(['Ada', undefined]);
    const texts = rowsOf(batch!, COLUMNS.textColumns).map((raw) => COLUMNS.texts(raw));
    expect(texts).toMatchObject([{ content: 'one', remark: 'first' }, { content: 'two' }]);
    expect(texts[1]).not.toHaveProperty('remark');
  });

  it('gets its column in an older store when it is opened, empty for old entries', async () => {
    await using folder = await temporaryFolder();
    const old = await Database.open(place(folder.path), { width: 384, columns: ['id'], visit: () => undefined });
    await old.tables[0]!.writer.add(toArrowTable([stored('from before')], old.schema));
    await old.adopt();
    await old.secure();
    old.close();

    const known: CatalogEntry[] = [];
    const reader = new CatalogEntryReader(COLUMNS);
    const look = { width: 384, columns: catalogEntryColumns(COLUMNS), fields: fieldColumns(FIELDS) };
    const opened = await Database.open(place(folder.path), { ...look, visit: (batch) => void known.push(...reader.read(batch)) });
    expect(known).toHaveLength(1);
    expect(known[0]).not.toHaveProperty('author');
    expect(opened.schema.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['author', 'remark']));
    const added = stored('from now', { author: 'Ada', remark: 'new' });
    await opened.tables[0]!.writer.add(toArrowTable([added], opened.schema, COLUMNS));
    await opened.adopt();
    await opened.secure();
    const [raw] = await opened.view.rows([added.entry.id], ['author', ...COLUMNS.textColumns]);
    expect(raw).toMatchObject({ author: 'Ada' });
    expect(COLUMNS.texts(raw!)).toMatchObject({ content: 'from now', remark: 'new' });
    opened.close();
  });
});
