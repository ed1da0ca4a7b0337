import { expect, it } from 'vitest';
import { AppendTurns } from '../../../../src/store/wal/shared/append-turns.ts';

/** Of a server `b` that knows of these others, who wrote one after the other just now. */
function turnsOf(writers: readonly string[]): { turns: AppendTurns; pass: (ms: number) => void } {
  let now = 1000;
  const turns = new AppendTurns('b', () => now);
  for (const writer of writers) turns.note(writer, true);
  return { turns, pass: (ms) => (now += ms) };
}

it('lets a single writer continue at once', () => {
  expect(turnsOf([]).turns.waitMs()).toBe(0);
  const { turns } = turnsOf(['b', 'b']);
  expect(turns.hasRivals).toBe(false);
  expect(turns.waitMs()).toBe(0);
});

it('passes the turn to the next by name, with some time for those before', () => {
  expect(turnsOf(['b', 'c', 'a']).turns.waitMs()).toBe(0);
  const one = turnsOf(['a', 'b', 'c']).turns.waitMs();
  expect(one).toBeGreaterThan(0);
  expect(turnsOf(['a', 'c', 'b']).turns.waitMs()).toBe(2 * one);
});

it('waits once for one that skips its turn, and not for one that stopped long ago', () => {
  const { turns, pass } = turnsOf(['c', 'b']);
  pass(turns.waitMs());
  expect(turns.waitMs()).toBe(0);
  expect(turns.hasRivals).toBe(false);
  turns.note('c', false);
  turns.note('b', true);
  expect(turns.waitMs()).toBeGreaterThan(0);
  pass(60_000);
  expect(turns.hasRivals).toBe(false);
});

it('counts a server with a void batch as a writer, and passes the turn after the one that counted', () => {
  const { turns } = turnsOf(['a']);
  turns.note('c', false);
  expect(turns.hasRivals).toBe(true);
  expect(turns.waitMs()).toBe(0);
});

it('gives each the time that appends take, within limits', () => {
  const { turns } = turnsOf([]);
  for (let nth = 0; nth < 50; nth += 1) turns.time(120);
  expect(turns.slotMs).toBeCloseTo(120, 0);
  for (let nth = 0; nth < 50; nth += 1) turns.time(60_000);
  expect(turns.slotMs).toBe(250);
  for (let nth = 0; nth < 50; nth += 1) turns.time(0);
  expect(turns.slotMs).toBe(10);
});

it('polls often if the server is next, and rarely otherwise', () => {
  const next = turnsOf(['b', 'c', 'a', 'c']).turns;
  expect(next.lookMs(next.waitMs())).toBeLessThan(next.slotMs);
  const later = turnsOf(['a', 'c', 'b']).turns;
  expect(later.lookMs(later.waitMs())).toBe(later.slotMs);
  expect(later.lookMs(5)).toBe(5);
});

it('checks sooner for the result of an append if others append too', () => {
  expect(turnsOf(['b', 'c']).turns.patienceMs).toBeLessThan(turnsOf(['b']).turns.patienceMs);
});
