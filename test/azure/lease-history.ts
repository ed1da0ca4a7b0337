import type { Connection } from '@lancedb/lancedb';
import { follow, stateAtStart, type LogState } from '../../src/store/wal/shared/log-order.ts';
import { fromColumns, type LogColumns, type LogRow } from '../../src/store/wal/shared/log-row.ts';

/** A row of the log, whether it counts, and who had the lease when it came. */
export interface JudgedRow {
  readonly row: LogRow;
  readonly counts: boolean;
  readonly before: LogState;
}

/** All rows of the log of a store, as they lie in its segments; none of them may have been dropped yet. */
export async function judgedRows(connection: Connection): Promise<JudgedRow[]> {
  const names = (await connection.tableNames({ limit: 10_000 })).filter((name) => name.startsWith('log_'));
  const judged: JudgedRow[] = [];
  let state = stateAtStart(1);
  for (let name = names.find((candidate) => /_1_[0-9a-f]+$/.test(candidate)); name !== undefined; name = state.next) {
    if (state.next !== undefined) state = stateAtStart(state.segment + 1, state);
    const table = await connection.openTable(name);
    const rows = (await table.query().withRowId().toArray()) as (LogColumns & { readonly _rowid: bigint })[];
    table.close();
    for (const columns of rows.toSorted((first, second) => (first._rowid < second._rowid ? -1 : 1))) {
      const row = fromColumns(columns);
      const { state: after, counts } = follow(state, row);
      judged.push({ row, counts, before: state });
      state = after;
    }
  }
  return judged;
}

/**
 * Where a lease does not follow the previous one, or a row counts whose server did not hold the lease. With `leaseMs`, also where a lease was taken
 * from a holder that had shown itself less than this time ago.
 */
export function leaseFaults(rows: readonly JudgedRow[], leaseMs = 0): string[] {
  const faults: string[] = [];
  let shownAt = -Infinity;
  for (const { row, counts, before } of rows) {
    if (!counts || !('term' in row)) continue;
    if (row.kind === 'lease') {
      const age = row.at - shownAt;
      if (row.term !== before.term + 1) faults.push(`the lease ${row.term} follows ${before.term}`);
      if (before.holder !== undefined && age < leaseMs) faults.push(`the lease ${row.term} came ${age} ms after a sign of life`);
    } else if (row.server !== before.holder) {
      faults.push(`${row.kind} of ${row.server}, and the holder was ${before.holder}`);
    }
    shownAt = row.at;
  }
  return faults;
}
