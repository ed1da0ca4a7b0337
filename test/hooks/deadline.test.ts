import { expect, it } from 'vitest';
import { timeLimitAfter } from '../../src/hooks/run-hook.ts';

it.each([
  ['a quick start', 60, 1450],
  ['a start of half a second', 480, 1450],
  ['a busy machine', 1000, 3000],
  ['a machine so busy that the client would end it', 3000, 4500],
  ['a start that took all the time', 6000, 6150],
])('a hook has more time the longer its process took to start: %s', (_, startMs, limitMs) => {
  expect(timeLimitAfter(startMs)).toBe(limitMs);
});
