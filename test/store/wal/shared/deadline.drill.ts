import { expect, it } from 'vitest';
import { LoreError } from '../../../../src/memory/errors.ts';
import { createDeadline } from '../../../../src/store/wal/shared/deadline.ts';
import { gate } from '../../../helpers/gate.ts';

it('gives up a call without an answer, and names the call and the time to retry', async () => {
  const call = new Promise<never>(() => {});
  const error = await createDeadline(20)('read the log', call).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(LoreError);
  expect(error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Could not read the log.') as unknown,
    retryAfterSeconds: 5,
  });
});

it('handles a call that fails after it was given up', async () => {
  const answer = gate();
  const call = answer.opened.then(() => {
    throw new Error('too late');
  });
  await expect(createDeadline(20)('read the log', call)).rejects.toMatchObject({ code: 'unavailable' });
  answer.open();
  await expect(call).rejects.toThrow('too late');
});

it('returns the result of a call, and its failure as a store error', async () => {
  expect(await createDeadline(60_000)('read the log', Promise.resolve('a'))).toBe('a');
  const failure = createDeadline(60_000)('read the log', Promise.reject(new Error('LanceError: secret path')));
  await expect(failure).rejects.toMatchObject({ code: 'internal', message: 'Could not read the log.' });
});
