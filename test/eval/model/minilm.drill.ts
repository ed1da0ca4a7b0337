import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalEmbedder, type LocalEmbedder } from '../../../src/embeddings/local.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { dotProduct } from '../../../src/memory/dot-product.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { checkPairs, measurePairs, TOLERANCE } from './similarities.mjs';

const MODEL = 'Xenova/all-MiniLM-L6-v2';
/** A folder of models, as `npm run eval:model` prepares it. */
const FOLDER = process.env['LORE_TEST_MODEL'] ?? process.env['SERVICE_EMBEDDINGS_LOCAL_MODEL_PATH'] ?? '';
const isThere = FOLDER !== '' && existsSync(join(FOLDER, MODEL, 'onnx/model_quantized.onnx'));
const notRun = isThere ? '' : ' (not run: no model; LORE_TEST_MODEL names its folder)';

const openEmbedder = (): LocalEmbedder =>
  createLocalEmbedder({
    model: MODEL,
    dimensions: 384,
    cacheDir: FOLDER,
    localModelPath: FOLDER,
    allowDownload: false,
    idleUnloadMs: 0,
    timeoutMs: 60_000,
    log: silentLog,
  });

/** An app that the model serves. */
async function openWithModel(): Promise<TestApp> {
  const app = await openTestApp({
    'embeddings.provider': 'local',
    'embeddings.model': MODEL,
    'embeddings.localModelPath': FOLDER,
    'embeddings.allowDownload': false,
  });
  await expect.poll(async () => (await app.memories.health()).embedder.provider).toBe('local');
  return app;
}

const MEMORIES = [
  'The car would not start this morning because its battery was empty',
  'Invoices are sent to customers on the first day of every month',
  'The kitchen sink has been leaking since Tuesday',
  'We moved all services to another data centre in spring',
];

describe.skipIf(!isThere)(`all-MiniLM-L6-v2${notRun}`, () => {
  it('reproduces the published similarities', async () => {
    const embedder = openEmbedder();
    try {
      const pairs = await measurePairs((texts) => embedder.embedDocuments(texts));
      expect(() => checkPairs(pairs, TOLERANCE.quantized)).not.toThrow();
    } finally {
      await embedder.close();
    }
  });

  it('gives a text nearly the same vector alone and in a batch', async () => {
    const embedder = openEmbedder();
    try {
      const texts = [...MEMORIES, 'tea', MEMORIES.join('. ').repeat(4)];
      const together = await embedder.embedDocuments(texts);
      for (const [nth, text] of texts.entries()) {
        expect(dotProduct(await embedder.embedQuery(text), together[nth] as Float32Array)).toBeGreaterThan(0.96);
      }
    } finally {
      await embedder.close();
    }
  });

  it('finds a paraphrase without a common word, in a hybrid search', async () => {
    await using app = await openWithModel();
    for (const content of MEMORIES) await app.memories.save({ content, namespace: 'test' });
    const first = async (query: string): Promise<string | undefined> =>
      (await app.memories.recall({ query, namespace: 'test', searchMode: 'hybrid' })).results[0]?.entry.content;
    expect(await first('vehicle failed: flat accumulator')).toBe(MEMORIES[0]);
    expect(await first('water drips under the washbasin')).toBe(MEMORIES[2]);
    expect(await first('when do clients get their bills')).toBe(MEMORIES[1]);
  });
});
