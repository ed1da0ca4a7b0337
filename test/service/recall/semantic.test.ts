import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { MemoryOperations } from '../../../src/memory/operations/operations.ts';
import { random } from '../../bench/corpus.mjs';
import { readDataset } from '../../eval/dataset.mjs';
import { measure } from '../../eval/metrics.mjs';
import { openTestApp } from '../../helpers/app.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../../helpers/embedding-api.ts';

const WIDTH = 8;
const QUERY = 'ERR_LEDGER_4711 when the ledger closes';
const ANSWER = 'ERR_LEDGER_4711 means that the ledger was closed twice';
const NEARER = 60;

/** A unit vector with this cosine to that of the query. */
function at(cosine: number, axis = 1): Float32Array {
  const vector = new Float32Array(WIDTH);
  vector[0] = cosine;
  vector[axis] = Math.sqrt(1 - cosine * cosine);
  return vector;
}

/** Sixty texts of other subjects are nearer to the query than its answer. */
function misleading(text: string): Float32Array {
  if (text === QUERY) return at(1);
  if (text.includes('ERR_LEDGER_4711')) return at(0.5);
  return at(0.62, 1 + (text.length % (WIDTH - 1)));
}

const served = ({ url }: EmbeddingApi, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  'embeddings.provider': 'openai',
  'embeddings.baseUrl': url,
  'embeddings.dimensions': WIDTH,
  ...more,
});

async function fill(memories: MemoryOperations): Promise<void> {
  const others = Array.from({ length: NEARER }, (_, nth) => `A long afternoon of bookkeeping, thought number ${nth} of many`);
  const lines = [...others, ANSWER].map((content) => JSON.stringify({ content, namespace: 'test' }));
  await memories.import(Readable.from([Buffer.from(lines.join('\n'))]), {});
}

describe('an entry found only by words among sixty nearer ones', () => {
  it('gets its cosine, and can win', async () => {
    await using api = await startEmbeddingApi();
    [api.width, api.embed] = [WIDTH, misleading];
    await using app = await openTestApp(served(api));
    await fill(app.memories);
    const request = { query: QUERY, namespace: 'test', explain: true, limit: 50 } as const;
    const near = (await app.memories.recall({ ...request, searchMode: 'vector' })).results;
    expect(near.map(({ entry }) => entry.content)).not.toContain(ANSWER);
    const [first] = (await app.memories.recall({ ...request, searchMode: 'hybrid' })).results;
    expect(first!.entry.content).toBe(ANSWER);
    expect(first!.scores.vector).toBeCloseTo(0.5, 3);
    expect(first!.explanation!.vector!.cosine).toBeCloseTo(0.5, 3);
  });
});

describe('the best passage of a long text without a query word', () => {
  it('has the nearest stored vector; only the query is embedded', async () => {
    await using api = await startEmbeddingApi();
    api.width = WIDTH;
    api.embed = (text) => (text === 'feline' || text.includes('kittens') ? at(1) : at(0.1));
    await using app = await openTestApp(served(api));
    const parts = ['harbour', 'orchard', 'kittens', 'viaduct'].map((word) => `Here somebody wrote at length about the ${word}. `.repeat(9));
    await app.memories.save({ content: parts.join('\n\n'), namespace: 'test' });
    const before = api.requests.length;
    const [found] = (await app.memories.recall({ query: 'feline', namespace: 'test' })).results;
    expect(found!.passage!.text).toContain('kittens');
    expect(found!.entry.content.slice(found!.passage!.start, found!.passage!.end)).toBe(found!.passage!.text);
    expect(api.requests.slice(before).map(({ body }) => body['input'])).toEqual([['feline']]);
  });
});

/** A model that knows nothing: each text has a direction of its own. */
function meaningless(text: string): Float32Array {
  const next = random(parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16));
  return Float32Array.from({ length: 384 }, () => next() - 0.5);
}

/** A model in whose eyes all texts are nearly the same. */
function narrow(text: string): Float32Array {
  const vector = meaningless(text);
  vector[0] = 10;
  return vector;
}

describe('with any semantic embedder', () => {
  it.each([
    ['one that knows nothing', meaningless],
    ['one to which all texts are alike', narrow],
  ])(
    'identifiers and parts of compound names are found as by words: %s',
    async (_, embed) => {
      await using api = await startEmbeddingApi();
      api.embed = embed;
      await using app = await openTestApp(served(api, { 'embeddings.dimensions': 384 }));
      const { memoryOf, importLines, queries } = readDataset(fileURLToPath(new URL('../../eval/data', import.meta.url)));
      await app.memories.import(Readable.from([Buffer.from(importLines.join('\n'))]), {});
      const quality = async (group: string): Promise<number> => {
        const asked = queries.filter((query) => query.group === group);
        let sum = 0;
        for (const query of asked) {
          const request = { query: query.query, limit: 10, searchMode: 'hybrid' } as const;
          const { namespace } = query;
          const { results } =
            namespace === undefined ? await app.memories.search(request) : await app.memories.recall({ ...request, namespace });
          sum += measure(
            results.map(({ entry }) => memoryOf.get(entry.id)!),
            query,
          )['nDCG@10'];
        }
        return sum / asked.length;
      };
      expect(await quality('exact-identifier')).toBeGreaterThanOrEqual(0.98);
      expect(await quality('compound-part')).toBeGreaterThanOrEqual(0.99);
    },
    60_000,
  );
});
