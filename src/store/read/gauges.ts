import type { GaugeValues, Telemetry } from '../../memory/telemetry.ts';
import type { Database } from '../tables/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Figures } from './figures.ts';
import type { Memtables } from '../memtable/memtable.ts';
import { LastKnown } from './last-known.ts';
import type { Wal } from '../wal/wal.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface Parts {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly memtables: Memtables;
  /** The write queue. */
  readonly entries: { readonly waiting: number };
  readonly figures: Figures;
  readonly wal: Pick<Wal, 'bytes' | 'maintains' | 'servers'>;
}

const TABLE_LEVELS = { maxAgeMs: 10_000, patienceMs: 20 };

/** Registers the gauges of a store. Three sources, so that a failing one does not hide the others. */
export function watchStore(telemetry: Telemetry, parts: Parts): void {
  telemetry.watch('rows', () => rowGauges(parts));
  // On object storage they are requests, which may hang.
  const table = new LastKnown(() => tableGauges(parts), TABLE_LEVELS);
  telemetry.watch('table', parts.database.abilities.slowReads ? async () => (await table.soon()) ?? {} : () => tableGauges(parts));
  telemetry.watch('disk', () => diskGauges(parts));
}

function rowGauges({ catalog, memtables, entries, wal }: Parts): GaugeValues {
  return {
    entries: catalog.size,
    'fresh rows': memtables.size,
    'write queue': entries.waiting,
    maintaining: Number(wal.maintains),
    ...withoutUndefined({ servers: wal.servers }),
  };
}

async function tableGauges({ database, figures }: Parts): Promise<GaugeValues> {
  const { fragments, unindexedRows } = await figures.ofTable();
  // On object storage the list costs a request for each of them.
  const versions = database.abilities.slowReads ? undefined : await versionsOf(database);
  return { fragments, ...withoutUndefined({ versions }), 'unindexed rows': unindexedRows };
}

async function diskGauges({ figures, wal }: Parts): Promise<GaugeValues> {
  const space = await figures.disk();
  return {
    'store bytes': await figures.size(),
    ...withoutUndefined({ 'journal bytes': wal.bytes }),
    ...(space !== undefined && { 'disk free bytes': space.free }),
  };
}

async function versionsOf({ view }: Database): Promise<number> {
  const all = await Promise.all(view.parts.map(({ table }) => table.listVersions()));
  return all.reduce((sum, { length }) => sum + length, 0);
}
