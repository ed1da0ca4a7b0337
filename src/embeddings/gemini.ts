import type { Embedder } from './embedder.ts';
import { checkKey, createHostedEmbedder, type HostedOptions } from './hosted.ts';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';
/** Maximum batch size of the API. */
const LARGEST_BATCH = 100;
const TASKS = { document: 'RETRIEVAL_DOCUMENT', query: 'RETRIEVAL_QUERY' } as const;

/** Embedder for Google's Gemini API. Throws `config` without key and address. */
export function createGeminiEmbedder(options: HostedOptions): Embedder {
  checkKey('gemini', options);
  const { apiKey, dimensions, baseUrl = BASE_URL } = options;
  const name = options.model.replace(/^models\//, '');
  return createHostedEmbedder(
    {
      provider: 'gemini',
      url: `${baseUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(name)}:batchEmbedContents`,
      headers: apiKey === undefined ? {} : { 'x-goog-api-key': apiKey },
      body: (texts, purpose) => ({
        requests: texts.map((text) => ({
          model: `models/${name}`,
          content: { parts: [{ text }] },
          taskType: TASKS[purpose],
          outputDimensionality: dimensions,
        })),
      }),
      vectors: (answer) => {
        const items = (answer as { embeddings?: unknown } | null)?.embeddings;
        return Array.isArray(items) ? (items as ({ values?: unknown } | null)[]).map((item) => item?.values) : [];
      },
    },
    { ...options, batchSize: Math.min(options.batchSize, LARGEST_BATCH) },
  );
}
