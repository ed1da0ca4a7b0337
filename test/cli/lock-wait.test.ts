import { expect, it } from 'vitest';
import { LockWait } from '../../src/cli/lock-wait.ts';

it('waiting for the store ends if one process holds it, but not while several take it in turn', () => {
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
