import type { Carried, LogPosition, LogRow } from './log-row.ts';

/** The state of a reader after some rows of a segment. It depends only on the order of the rows, so all readers agree. */
export interface LogState extends Carried {
  readonly segment: number;
  /** Rows of the segment that were read, void ones too: the position of the next one. */
  readonly rows: number;
  /** Whether the segment has its `begin` row; earlier rows do not count. */
  readonly begun: boolean;
  /** Name of the next segment's table; if set, later rows of this segment do not count. */
  readonly next?: string | undefined;
}

/** The state at the first row of a segment; its `begin` row completes it. */
export function stateAtStart(segment: number, carried: Carried = { sequence: 0, term: 0, signs: 0 }): LogState {
  const { sequence, term, holder, signs, mark, markId } = carried;
  return { sequence, term, holder, signs, mark, markId, segment, rows: 0, begun: false };
}

/** The state carried over to the next segment, repeated in its `begin` row. */
export function carriedOf({ sequence, term, holder, signs, mark, markId }: LogState): Carried {
  return { sequence, term, holder, signs, mark, markId };
}

/** Processes one row: returns whether it counts, and the new state. A void row changes only the position. */
export function follow(state: LogState, row: LogRow): { readonly state: LogState; readonly counts: boolean } {
  const rows = state.rows + 1;
  const change = changeBy(row, state);
  return { state: { ...state, ...change, rows }, counts: change !== undefined };
}

/** The change of a row that counts; undefined for others. */
function changeBy(row: LogRow, state: LogState): Partial<LogState> | undefined {
  if (state.next !== undefined) return undefined;
  if (row.kind === 'begin') return state.begun ? undefined : { ...carriedOf(stateAtStart(state.segment, row.carried)), begun: true };
  if (!state.begun) return undefined;
  if (row.kind === 'records') return row.base === state.sequence ? { sequence: state.sequence + 1 } : undefined;
  if (row.kind === 'lease') {
    // A heartbeat that the taker had not seen keeps the lease with the holder.
    const isFree = row.term === state.term + 1 && row.seen === state.signs;
    return isFree ? { term: row.term, holder: row.server, signs: 0 } : undefined;
  }
  // A holder that was replaced, or released its lease, is fenced off here.
  if (row.term !== state.term || row.server !== state.holder) return undefined;
  const signs = state.signs + 1;
  switch (row.kind) {
    case 'beat':
      return { signs };
    case 'release':
      return { signs, holder: undefined };
    case 'mark':
      // The engine repeats a row if the response was lost; the first position of the checkpoint counts.
      if (row.id === state.markId) return undefined;
      return { signs, markId: row.id, mark: { segment: state.segment, row: state.rows } };
    case 'head':
      return isSame(row.mark, state.mark) ? { signs } : undefined;
    case 'seal':
      return { next: row.next };
  }
}

function isSame(first: LogPosition, second: LogPosition | undefined): boolean {
  return first.segment === second?.segment && first.row === second.row;
}
