import { expect, it } from 'vitest';
import { LockWait } from '../../src/cli/lock-wait.ts';

it('patience with who has the store open ends with one that keeps it, and not while one takes it after the other', () => {
  let now = 0;
  const patience = new LockWait(15_000, () => now);
  const isOverAt = (ms: number, token: string | undefined): boolean => {
    now = ms;
    return patience.isOver(token === undefined ? undefined : { token });
  };
  for (let turn = 0; turn < 10; turn += 1) {
    expect(isOverAt(turn * 10_000, `holder ${turn}`)).toBe(false);
    expect(isOverAt(turn * 10_000 + 9_000, undefined)).toBe(false);
  }
  expect(isOverAt(104_999, 'holder 9')).toBe(false);
  expect(isOverAt(105_000, 'holder 9')).toBe(true);
});
