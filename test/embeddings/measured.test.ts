import { describe, expect, it } from 'vitest';
import { withLastFault } from '../../src/embeddings/last-fault.ts';
import { createBuiltinEmbedder } from '../../src/embeddings/builtin.ts';
import type { Embedder } from '../../src/embeddings/embedder.ts';
import { cachedAndMeasured } from '../../src/embeddings/measured.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { runInScope } from '../../src/memory/request-scope.ts';
import { recordedTelemetry } from '../helpers/recorded-telemetry.ts';

const LIMITS = { queueLimit: 10_000, maxConcurrent: 8 };
const as = <T>(requestId: string, work: () => T): T => runInScope({ requestId, isOver: false }, work);

describe('a measured embedder', () => {
  it('reports each call that misses the cache, with its request', async () => {
    const telemetry = recordedTelemetry();
    const embedder = cachedAndMeasured(createBuiltinEmbedder(), { batchSize: 3, telemetry, limits: LIMITS });
    await as('one', () => embedder.embedQuery('tea'));
    await as('two', () => embedder.embedQuery('tea'));
    // The first two fit one call; the third goes in the next, for its own request.
    const documents = ['three', 'four', 'five'].map((id) => as(id, () => embedder.embedDocuments([`${id} a`, `${id} b`])));
    expect(telemetry.levels.get('embedding queue')).toBe(6);
    await Promise.all(documents);
    expect(telemetry.counted).toEqual(['embedding cache lookup miss', 'embedding cache lookup hit']);
    expect(telemetry.timings).toEqual(
      ['one', 'three', 'four', 'five'].map((requestId) => ({ what: 'embed', words: ['builtin'], requestId })),
    );
    expect(telemetry.amounts).toEqual([1, 2, 2, 2].map((texts) => ['embed texts', texts]));
    expect(telemetry.levels.get('embedding queue')).toBe(0);
    await embedder.close();
  });

  it('has no request for a call shared by several', async () => {
    const telemetry = recordedTelemetry();
    const embedder = cachedAndMeasured(createBuiltinEmbedder(), { batchSize: 10, telemetry, limits: LIMITS });
    await Promise.all(['one', 'two'].map((id) => as(id, () => embedder.embedDocuments([id]))));
    await as('three', () => embedder.embedDocuments(['three']));
    expect(telemetry.timings.map(({ requestId }) => requestId)).toEqual([undefined, 'three']);
    await embedder.close();
  });

  it('leaves nothing in its queue when calls fail or are cancelled', async () => {
    const telemetry = recordedTelemetry();
    const failing: Embedder = { ...createBuiltinEmbedder(), embedDocuments: () => Promise.reject(new LoreError('network', 'Gone.')) };
    const embedder = cachedAndMeasured(failing, { batchSize: 3, telemetry, limits: LIMITS });
    const leaving = new AbortController();
    const given = [embedder.embedDocuments(['a']), embedder.embedDocuments(['b'], { signal: leaving.signal })];
    leaving.abort();
    await Promise.allSettled(given);
    expect(telemetry.levels.get('embedding queue')).toBe(0);
    await embedder.close();
  });
});

describe('the state of a model', () => {
  it('follows its last call; rejected texts and cancelled callers do not count', async () => {
    const faults: (Error | undefined)[] = [];
    const builtin = createBuiltinEmbedder();
    const inner: Embedder = {
      ...builtin,
      embedQuery: async (text, options) => {
        const fault = faults.shift();
        if (fault) throw fault;
        return await builtin.embedQuery(text, options);
      },
    };
    const { embedder, fault } = withLastFault(inner);
    const ask = async (thrown?: Error, options = {}): Promise<string | undefined> => {
      faults.push(thrown);
      await embedder.embedQuery('tea', options).catch(() => undefined);
      return fault();
    };
    expect(fault()).toBeUndefined();
    expect(await ask(new LoreError('invalid_input', 'Refused.'))).toBeUndefined();
    expect(await ask(new LoreError('network', 'The host is gone.'))).toBe('The host is gone.');
    expect(await ask(new LoreError('invalid_input', 'Refused.'))).toBe('The host is gone.');
    expect(await ask()).toBeUndefined();
    expect(await ask(new LoreError('unavailable', 'Cancelled.'), { signal: AbortSignal.abort() })).toBeUndefined();
    expect(await ask(new Error('a secret of a library'))).toBe('The embedding model failed.');
  });
});
