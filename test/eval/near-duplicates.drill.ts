import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { likenessOf } from '../../src/memory/same-fact/likeness.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';

const Pair = z.object({ id: z.string(), label: z.enum(['same', 'different']), a: z.string(), b: z.string() });
type Pair = z.output<typeof Pair>;

const pairs = readFileSync(new URL('data/pairs.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Pair.parse(JSON.parse(line)));
const MODELS = process.env['LORE_TEST_MODEL'] ?? process.env['SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH'] ?? '';
const hasModel = MODELS !== '' && existsSync(join(MODELS, 'Xenova/all-MiniLM-L6-v2'));
/** No two texts share anything in it. */
const scattered = (text: string): Float32Array => {
  let state = Buffer.from(text).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7);
  return Float32Array.from({ length: 384 }, () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5);
};

/** How many pairs of each label the receipt of the second text marks. */
async function marked(app: TestApp, namespaceOf: (pair: Pair) => string): Promise<{ same: number; different: number }> {
  const found = { same: 0, different: 0 };
  for (const pair of pairs) {
    const namespace = namespaceOf(pair);
    const first = await app.memories.save({ content: pair.a, namespace, tags: ['one'] });
    const second = await app.memories.save({ content: pair.b, namespace, tags: ['two', 'three'], near: true });
    const isMarked =
      second.ids[0] === first.ids[0] ||
      second.outcomes[0]!.near!.some(({ id, differs, repeats }) => id === first.ids[0] && differs === undefined && repeats === undefined);
    if (isMarked) found[pair.label] += 1;
  }
  return found;
}

function expectBounds({ same, different }: { same: number; different: number }): void {
  expect(different).toBeLessThanOrEqual(2);
  expect(same).toBeGreaterThanOrEqual(50);
}

const own = ({ id }: Pair): string => `pair-${id}`;

describe('near duplicates of the labelled pairs, at most 2 of 125 different facts and at least 50 of 73 same ones', () => {
  it('with the builtin embedder, each pair in its own namespace, and all in one', async () => {
    await using app = await openTestApp({ 'storage.durability': 'process' });
    expectBounds(await marked(app, own));
    expectBounds(await marked(app, () => 'all'));
  });

  it.each([
    ['to which all texts are equal', () => new Float32Array(384).fill(1)],
    ['to which no two texts are alike', scattered],
  ])('by a semantic model %s', async (_, embed) => {
    await using api = await startEmbeddingApi();
    api.embed = embed;
    const hosted = {
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.model': 'm',
      'embeddings.dimensions': 384,
    };
    await using app = await openTestApp({ ...hosted, 'storage.durability': 'process' });
    expectBounds(await marked(app, () => 'all'));
    expect((await app.memories.health()).embedder.provider).toBe('openai');
  });

  it.skipIf(!hasModel)(
    `by MiniLM${hasModel ? '' : ' (not run: no model; LORE_TEST_MODEL names its folder)'}`,
    { timeout: 300_000 },
    async () => {
      const local = { 'embeddings.provider': 'local', 'embeddings.localModelPath': MODELS, 'embeddings.allowDownload': false };
      await using app = await openTestApp({ ...local, 'storage.durability': 'process' });
      await app.memories.save({ content: 'warm' });
      expect((await app.memories.health()).embedder.provider).toBe('local');
      expectBounds(await marked(app, () => 'all'));
    },
  );

  it('also for the relation `similar`, which requires like words and no negation', () => {
    const linked = pairs.filter(({ a, b }) => {
      const { similarity, telling } = likenessOf(a, b);
      return similarity >= 0.92 && telling !== 'negation';
    });
    const count = (label: string): number => linked.filter((pair) => pair.label === label).length;
    expectBounds({ same: count('same'), different: count('different') });
  });
});
