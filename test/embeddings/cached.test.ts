import { describe, expect, it } from 'vitest';
import { createBuiltinEmbedder } from '../../src/embeddings/builtin.ts';
import { createCachedEmbedder } from '../../src/embeddings/cached.ts';
import type { Embedder } from '../../src/embeddings/embedder.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { failureOf } from '../helpers/failure.ts';

const LIMITS = { queueLimit: 10_000, maxConcurrent: 8 };

interface Gated {
  readonly embedder: Embedder;
  /** Texts of each call that reached the embedder, in order. */
  readonly calls: string[][];
  /** Signals of these calls. */
  readonly signals: (AbortSignal | undefined)[];
  /** Lets the oldest call that waits go on. */
  readonly release: () => void;
}

/** The real builtin embedder behind a gate, so that a test decides when a call ends. Refuses every call that holds `poison`. */
function gated(): Gated {
  const builtin = createBuiltinEmbedder();
  const calls: string[][] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const gates: (() => void)[] = [];
  const pass = async (texts: string[], signal: AbortSignal | undefined): Promise<void> => {
    calls.push(texts);
    signals.push(signal);
    await new Promise<void>((resolve, reject) => {
      gates.push(resolve);
      signal?.addEventListener('abort', () => reject(new LoreError('unavailable', 'aborted')));
    });
    if (texts.includes('poison')) throw new LoreError('invalid_input', 'refused');
  };
  return {
    calls,
    signals,
    release: () => gates.shift()?.(),
    embedder: {
      ...builtin,
      async embedDocuments(texts, options) {
        await pass([...texts], options?.signal);
        return await builtin.embedDocuments(texts);
      },
      async embedQuery(text, options) {
        await pass([text], options?.signal);
        return await builtin.embedQuery(text);
      },
    },
  };
}

/** Long enough for everything that waits for nothing but its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('queries', () => {
  it('are embedded once and cached', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const first = cached.embedQuery('tea');
    release();
    expect(await cached.embedQuery('tea')).toEqual(await first);
    expect(calls).toEqual([['tea']]);
  });

  it('that are equal and concurrent share one call', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const answers = Promise.all([cached.embedQuery('tea'), cached.embedQuery('tea'), cached.embedQuery('milk')]);
    expect(calls).toEqual([['tea'], ['milk']]);
    release();
    release();
    const [one, two, other] = await answers;
    expect(one).toEqual(two);
    expect(one).not.toEqual(other);
  });

  it('return vectors that the caller may change', async () => {
    const { embedder, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const asked = cached.embedQuery('tea');
    release();
    const own = await asked;
    const before = own.slice();
    own.fill(0);
    expect(await cached.embedQuery('tea')).toEqual(before);
  });

  it('are evicted in order of use', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, queries: 2, limits: LIMITS });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) {
      const asked = cached.embedQuery(text);
      release();
      await asked;
    }
    expect(calls).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('that fail are not cached', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    for (let nth = 0; nth < 2; nth++) {
      const asked = cached.embedQuery('poison');
      release();
      await expect(asked).rejects.toThrow('refused');
    }
    expect(calls).toHaveLength(2);
  });

  it('continue for one caller when another cancels, and end with the last', async () => {
    const { embedder, calls, signals, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cached.embedQuery('tea', { signal: one.signal });
    const second = cached.embedQuery('tea', { signal: two.signal });
    one.abort();
    await expect(first).rejects.toMatchObject({ message: 'The embedding was cancelled by the caller.' });
    expect(signals[0]?.aborted).toBe(false);
    two.abort();
    await expect(second).rejects.toMatchObject({ message: 'The embedding was cancelled by the caller.' });
    expect(signals[0]?.aborted).toBe(true);

    const third = cached.embedQuery('tea');
    release();
    release();
    expect(await third).toHaveLength(384);
    expect(calls).toHaveLength(2);
  });
});

describe('documents', () => {
  it('that arrive during a call go together in the next one', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const first = cached.embedDocuments(['a']);
    await turn();
    const later = [cached.embedDocuments(['b', 'c']), cached.embedDocuments(['d']), cached.embedDocuments(['e'])];
    release();
    await first;
    await turn();
    release();
    const [bc, d, e] = await Promise.all(later);
    expect(calls).toEqual([['a'], ['b', 'c', 'd', 'e']]);
    const builtin = createBuiltinEmbedder();
    expect([...(bc ?? []), ...(d ?? []), ...(e ?? [])]).toEqual(await builtin.embedDocuments(['b', 'c', 'd', 'e']));
  });

  it('submitted together are sent at once', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const all = Promise.all(['a', 'b', 'c'].map((text) => cached.embedDocuments([text])));
    await turn();
    release();
    await all;
    expect(calls).toEqual([['a', 'b', 'c']]);
  });

  it('are batched up to the batch size, without splitting a caller', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 3, limits: LIMITS });
    const all = Promise.all([['a', 'b'], ['c', 'd'], ['e'], ['f', 'g', 'h', 'i', 'j'], ['k']].map((texts) => cached.embedDocuments(texts)));
    for (let nth = 0; nth < 4; nth++) {
      await turn();
      release();
    }
    await all;
    expect(calls).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f', 'g', 'h', 'i', 'j'], ['k']]);
  });

  it('of a caller that cancels before the call are not sent', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const leaving = new AbortController();
    const first = cached.embedDocuments(['a']);
    await turn();
    const second = cached.embedDocuments(['b'], { signal: leaving.signal });
    const third = cached.embedDocuments(['c']);
    leaving.abort();
    await expect(second).rejects.toMatchObject({ message: 'The embedding was cancelled by the caller.' });
    release();
    await first;
    await turn();
    release();
    await third;
    expect(calls).toEqual([['a'], ['c']]);
  });

  it('of other callers still arrive if one cancels during the call', async () => {
    const { embedder, signals, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const leaving = new AbortController();
    const first = cached.embedDocuments(['a'], { signal: leaving.signal });
    const second = cached.embedDocuments(['b']);
    await turn();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: 'unavailable' });
    release();
    expect(await second).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(false);
  });

  it('without a remaining caller are dropped', async () => {
    const { embedder, signals } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const leaving = new AbortController();
    const only = cached.embedDocuments(['a'], { signal: leaving.signal });
    await turn();
    leaving.abort();
    await expect(only).rejects.toMatchObject({ code: 'unavailable' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('that the embedder rejects do not fail the others', async () => {
    const { embedder, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: LIMITS });
    const good = cached.embedDocuments(['a']);
    const bad = failureOf(cached.embedDocuments(['poison']));
    for (let nth = 0; nth < 3; nth++) {
      await turn();
      release();
    }
    release();
    expect(await good).toHaveLength(1);
    expect(await bad).toMatchObject({ message: 'refused' });
  });

  it('that are queued are rejected when it is closed', async () => {
    const { embedder } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 1, limits: LIMITS });
    void cached.embedDocuments(['a']);
    await turn();
    const waiting = failureOf(cached.embedDocuments(['b']));
    await cached.close();
    expect(await waiting).toMatchObject({ message: 'The embedder builtin is closed.' });
  });
});

describe('limits', () => {
  it('reject documents above the queue limit, accept them again later, and never reject accepted ones', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: { queueLimit: 2, maxConcurrent: 8 } });
    const one = cached.embedDocuments(['a']);
    await turn();
    const many = cached.embedDocuments(['b', 'c', 'd']);
    expect(await failureOf(cached.embedDocuments(['e']))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    release();
    expect(await one).toHaveLength(1);
    await turn();
    expect(calls).toEqual([['a'], ['b', 'c', 'd']]);
    release();
    expect(await many).toHaveLength(3);
    const next = cached.embedDocuments(['e']);
    await turn();
    release();
    expect(await next).toHaveLength(1);
  });

  it('of queries and of documents are independent', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: { queueLimit: 2, maxConcurrent: 8 } });
    const query = cached.embedQuery('q');
    const documents = cached.embedDocuments(['a', 'b', 'c']);
    await turn();
    const second = cached.embedQuery('r');
    expect(calls).toEqual([['q'], ['a', 'b', 'c'], ['r']]);
    expect(await failureOf(cached.embedQuery('s'))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    for (let nth = 0; nth < 3; nth++) release();
    expect([await query, await second, ...(await documents)].map((vector) => vector.length)).toEqual([384, 384, 384, 384, 384]);
  });

  it('allow a number of concurrent queries; others follow in order, and cancelled ones leave the queue', async () => {
    const { embedder, calls, release } = gated();
    const cached = createCachedEmbedder(embedder, { batchSize: 10, limits: { queueLimit: 100, maxConcurrent: 2 } });
    const gone = new AbortController();
    const [first, second] = ['a', 'b'].map((text) => cached.embedQuery(text));
    const third = failureOf(cached.embedQuery('c', { signal: gone.signal }));
    const fourth = cached.embedQuery('d');
    await turn();
    expect(calls).toEqual([['a'], ['b']]);
    gone.abort();
    expect(await third).toMatchObject({ code: 'unavailable' });
    release();
    await first;
    await turn();
    expect(calls).toEqual([['a'], ['b'], ['d']]);
    release();
    release();
    expect(await Promise.all([second, fourth])).toHaveLength(2);
    const again = cached.embedQuery('c');
    release();
    expect(await again).toHaveLength(384);
  });
});
