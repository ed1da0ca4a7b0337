import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { carriedOf, follow, stateAtStart, type LogState } from '../../../../src/store/wal/shared/log-order.ts';
import type { LogContent, LogRow } from '../../../../src/store/wal/shared/log-row.ts';

const SERVERS = ['first', 'second', 'third'];

/** Rows of servers that are behind, ahead, replaced or confused: any numbers, any order. */
const content: fc.Arbitrary<LogContent> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('records' as const), base: fc.nat(8), records: fc.constant(() => []) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('lease' as const), term: fc.nat(6), seen: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('beat' as const, 'release' as const, 'mark' as const), term: fc.nat(6) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('head' as const),
      term: fc.nat(6),
      mark: fc.record({ segment: fc.constant(1), row: fc.nat(40) }),
      head: fc.constant({ entries: [{ version: 1, rows: 0 }], format: 1, sides: {} }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('seal' as const), term: fc.nat(6), next: fc.constant('next') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('begin' as const),
      carried: fc.record({ sequence: fc.nat(8), term: fc.nat(6), signs: fc.nat(3) }),
    }),
  },
);
const rows: fc.Arbitrary<LogRow[]> = fc
  .array(fc.record({ content, server: fc.constantFrom(...SERVERS) }), { maxLength: 60 })
  .map((drawn) => drawn.map(({ content: what, server }, nth) => ({ ...what, server, id: `row ${nth}`, at: nth })));

const BEGUN: LogState = { ...stateAtStart(1), begun: true };

interface Reading {
  readonly state: LogState;
  readonly counting: readonly LogRow[];
}

function read(log: readonly LogRow[], from: LogState): Reading {
  let state = from;
  const counting: LogRow[] = [];
  for (const row of log) {
    const next = follow(state, row);
    if (next.counts) counting.push(row);
    state = next.state;
  }
  return { state, counting };
}

it('gives all readers the same order, wherever they pause', () => {
  fc.assert(
    fc.property(rows, fc.nat(60), (log, stop) => {
      const whole = read(log, BEGUN);
      const start = read(log.slice(0, stop), BEGUN);
      const rest = read(log.slice(stop), start.state);
      expect(rest.state).toEqual(whole.state);
      expect([...start.counting, ...rest.counting]).toEqual(whole.counting);
    }),
  );
});

it('numbers counted batches consecutively, each decided on the one before it', () => {
  fc.assert(
    fc.property(rows, (log) => {
      const { state, counting } = read(log, BEGUN);
      const bases = counting.flatMap((row) => (row.kind === 'records' ? [row.base] : []));
      expect(bases).toEqual(bases.map((_, nth) => nth));
      expect(state.sequence).toBe(bases.length);
    }),
  );
});

it('has at most one holder per term, and lets no other act in it', () => {
  fc.assert(
    fc.property(rows, (log) => {
      let holder: { readonly term: number; readonly server: string } | undefined;
      let newest = 0;
      for (const { kind, server, term } of read(log, BEGUN).counting.flatMap((row) => ('term' in row ? [row] : []))) {
        const isLease = kind === 'lease';
        expect({ server, term }).toEqual(isLease ? { server, term: newest + 1 } : holder);
        if (isLease) {
          holder = { term, server };
          newest = term;
        }
        if (kind === 'release') holder = undefined;
      }
    }),
  );
});

it('ignores rows that do not count', () => {
  fc.assert(
    fc.property(rows, (log) => {
      const { counting, state } = read(log, BEGUN);
      // Heads name the place of their mark, which moves when rows before it are left out.
      const kept = counting.filter(({ kind }) => kind !== 'head');
      const again = read(kept, BEGUN);
      expect(again.counting).toEqual(kept);
      expect({ ...carriedOf(again.state), mark: undefined }).toEqual({ ...carriedOf(state), mark: undefined });
      expect(again.state.next).toBe(state.next);
    }),
  );
});

it('counts nothing after the end of a segment, and continues numbers in the next', () => {
  fc.assert(
    fc.property(rows, rows, fc.nat(60), (log, later, cut) => {
      const { state } = read(log.slice(0, cut), { ...BEGUN, term: 1, holder: 'first' });
      fc.pre(state.holder !== undefined && state.next === undefined);
      const seal: LogRow = { kind: 'seal', term: state.term, server: state.holder ?? '', next: 'next', id: 'seal', at: 0 };
      const sealed = read([seal, ...later], state);
      expect(sealed.counting).toEqual([seal]);
      const begin: LogRow = { kind: 'begin', carried: carriedOf(sealed.state), server: 'any', id: 'begin', at: 0 };
      const follower = read([begin, ...later], stateAtStart(2, sealed.state));
      const newcomer = read([begin, ...later], stateAtStart(2));
      expect(newcomer).toEqual(follower);
      expect(carriedOf(read([begin], stateAtStart(2)).state)).toEqual(carriedOf(state));
    }),
  );
});

it('accepts a checkpoint only for the last mark of the current term', () => {
  const at = (content: LogContent, nth: number): LogRow => ({ ...content, server: 'first', id: `${nth}`, at: nth });
  const head = { entries: [{ version: 2, rows: 3 }], format: 1, sides: {} };
  const log: LogContent[] = [
    { kind: 'lease', term: 1, seen: 0 },
    { kind: 'mark', term: 1 },
    { kind: 'mark', term: 1 },
    { kind: 'head', term: 1, mark: { segment: 1, row: 1 }, head },
    { kind: 'head', term: 1, mark: { segment: 1, row: 2 }, head },
    { kind: 'lease', term: 2, seen: 3 },
    { kind: 'head', term: 1, mark: { segment: 1, row: 2 }, head },
  ];
  expect(read(log.map(at), BEGUN).counting.map(({ id }) => id)).toEqual(['0', '1', '2', '4', '5']);
});

it('leaves the lease with a holder that renewed it while another tried to take it', () => {
  const at = ([server, content]: [string, LogContent], nth: number): LogRow => ({ ...content, server, id: `${nth}`, at: nth });
  const log: [string, LogContent][] = [
    ['first', { kind: 'lease', term: 1, seen: 0 }],
    ['first', { kind: 'beat', term: 1 }],
    ['second', { kind: 'lease', term: 2, seen: 0 }],
    ['first', { kind: 'mark', term: 1 }],
    ['second', { kind: 'lease', term: 2, seen: 2 }],
    ['first', { kind: 'beat', term: 1 }],
  ];
  expect(read(log.map(at), BEGUN).counting.map(({ id }) => id)).toEqual(['0', '1', '3', '4']);
});

it('counts a repeated row once', () => {
  fc.assert(
    fc.property(rows, fc.nat(60), (log, place) => {
      const { state } = read(log.slice(0, place), { ...BEGUN, term: 1, holder: 'first' });
      const { holder = 'nobody', sequence, term, signs } = state;
      const contents: LogContent[] = [
        { kind: 'records', base: sequence, records: () => [] },
        { kind: 'beat', term },
        { kind: 'mark', term },
        { kind: 'lease', term: term + 1, seen: signs },
      ];
      for (const content of contents) {
        const row: LogRow = { ...content, server: holder, id: 'twice', at: 0 };
        const once = read([row], state).state;
        // Of signs of life it makes one more, which nobody minds.
        expect({ ...read([row, row], state).state, rows: once.rows, signs: once.signs }).toEqual(once);
      }
    }),
  );
});
