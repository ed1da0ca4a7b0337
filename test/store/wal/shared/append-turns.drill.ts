import { expect, it } from 'vitest';
import { AppendTurns } from '../../../../src/store/wal/shared/append-turns.ts';

/** Of a server `b` that knows of these others, who wrote one after the other just now. */
function turnsOf(writers: readonly string[]): { turns: AppendTurns; pass: (ms: number) => void } {
  let now = 1000;
  const turns = new AppendTurns('b', () => now);
  for (const writer of writers) turns.note(writer, true);
  return { turns, pass: (ms) => (now += ms) };
}

it('lets a server go on at once that writes alone', () => {
  expect(turnsOf([]).turns.waitMs()).toBe(0);
  const { turns } = turnsOf(['b', 'b']);
  expect(turns.hasRivals).toBe(false);
  expect(turns.waitMs()).toBe(0);
});

it('gives the turn to the next by name, and some time to each of those before', () => {
  expect(turnsOf(['b', 'c', 'a']).turns.waitMs()).toBe(0);
  const one = turnsOf(['a', 'b', 'c']).turns.waitMs();
  expect(one).toBeGreaterThan(0);
  expect(turnsOf(['a', 'c', 'b']).turns.waitMs()).toBe(2 * one);
});

it('waits once for one that lets its turn pass, and not at all for one that stopped long ago', () => {
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

it('counts one among those that write whose batch was void, and leaves the turn with whoever is after the one that counted', () => {
  const { turns } = turnsOf(['a']);
  turns.note('c', false);
  expect(turns.hasRivals).toBe(true);
  expect(turns.waitMs()).toBe(0);
});

it('gives each as long as appends take, within bounds', () => {
  const { turns } = turnsOf([]);
  for (let nth = 0; nth < 50; nth += 1) turns.time(120);
  expect(turns.slotMs).toBeCloseTo(120, 0);
  for (let nth = 0; nth < 50; nth += 1) turns.time(60_000);
  expect(turns.slotMs).toBe(250);
  for (let nth = 0; nth < 50; nth += 1) turns.time(0);
  expect(turns.slotMs).toBe(10);
});

it('has a server look often where it is next, and only after a while where another one is before it', () => {
  const next = turnsOf(['b', 'c', 'a', 'c']).turns;
  expect(next.lookMs(next.waitMs())).toBeLessThan(next.slotMs);
  const later = turnsOf(['a', 'c', 'b']).turns;
  expect(later.lookMs(later.waitMs())).toBe(later.slotMs);
  expect(later.lookMs(5)).toBe(5);
});

it('asks sooner for what an append came to where others append too', () => {
  expect(turnsOf(['b', 'c']).turns.patienceMs).toBeLessThan(turnsOf(['b']).turns.patienceMs);
});
