import { describe, expect, it } from 'vitest';
import { WriteLimiter } from '../../src/service/write-limiter.ts';
import { failureOf } from '../helpers/failure.ts';

/** Work that is over when `end` is called. */
function open(): { work: () => Promise<string>; end: () => void } {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  return { work: () => over.then(() => 'done'), end: () => end() };
}

const FULL = { code: 'unavailable', retryAfterSeconds: 2 };

describe('writes in progress', () => {
  it('are refused above the limit before any work, and accepted again later', async () => {
    const limiter = new WriteLimiter({ changes: 2, bytes: 1000 });
    const [one, other] = [open(), open()];
    const first = limiter.one(1, one.work);
    const second = limiter.one(1, other.work);
    let begun = false;
    const refused = limiter.one(1, async () => {
      begun = true;
    });
    expect(await failureOf(refused)).toMatchObject(FULL);
    expect(begun).toBe(false);
    one.end();
    await first;
    expect(await limiter.one(1, async () => 'third')).toBe('third');
    other.end();
    await second;
  });

  it('are refused above the text limit, but a single one is never too long', async () => {
    const limiter = new WriteLimiter({ changes: 100, bytes: 1000 });
    const long = open();
    const first = limiter.one(10_000, long.work);
    expect(await failureOf(limiter.one(1, async () => 'no'))).toMatchObject(FULL);
    long.end();
    expect(await first).toBe('done');
    expect(await limiter.one(10_000, async () => 'yes')).toBe('yes');
  });

  it('free their slot when they fail', async () => {
    const limiter = new WriteLimiter({ changes: 1, bytes: 1000 });
    expect(await failureOf(limiter.one(1, () => Promise.reject(new Error('disk'))))).toMatchObject({ message: 'disk' });
    expect(await limiter.one(1, async () => 'next')).toBe('next');
  });

  it('of a bulk operation wait their turn instead', async () => {
    const limiter = new WriteLimiter({ changes: 2, bytes: 1000 });
    const [one, batch] = [open(), open()];
    const first = limiter.many({ changes: 2, chars: 10 }, one.work);
    const order: string[] = [];
    const second = limiter.many({ changes: 500, chars: 10 }, () => {
      order.push('second');
      return batch.work();
    });
    const third = limiter.many({ changes: 1, chars: 10 }, async () => void order.push('third'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    one.end();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['second']);
    batch.end();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('of a cancelled caller are dropped', async () => {
    const limiter = new WriteLimiter({ changes: 1, bytes: 1000 });
    const one = open();
    const first = limiter.one(1, one.work);
    const gone = new AbortController();
    let begun = false;
    const waiting = limiter.many({ changes: 1, chars: 1 }, async () => void (begun = true), gone.signal);
    gone.abort();
    one.end();
    await first;
    expect(await failureOf(waiting)).toMatchObject({ name: 'AbortError' });
    expect(begun).toBe(false);
  });
});
