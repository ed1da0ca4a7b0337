import type { Embedder } from './embedder.ts';
import { checkKey, createHostedEmbedder, type HostedOptions } from './hosted.ts';

const BASE_URL = 'https://api.openai.com/v1';
/** Models that accept `dimensions`; other models and servers reject it. */
const SHORTENS = /^text-embedding-3/;

/** Embedder for OpenAI or any server with a compatible `POST {baseUrl}/embeddings`. Throws `config` without key and address. */
export function createOpenAiEmbedder(options: HostedOptions): Embedder {
  checkKey('openai', options);
  const { apiKey, model, dimensions, baseUrl = BASE_URL } = options;
  return createHostedEmbedder(
    {
      provider: 'openai',
      url: `${baseUrl.replace(/\/+$/, '')}/embeddings`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: (texts) => ({ model, input: texts, encoding_format: 'float', ...(SHORTENS.test(model) ? { dimensions } : {}) }),
      vectors: inOrder,
    },
    options,
  );
}

/** Orders vectors by `index`; servers without it respond in order. */
function inOrder(answer: unknown): unknown[] {
  const items = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(items)) return [];
  const vectors: unknown[] = [];
  for (const [nth, item] of (items as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    vectors[typeof item?.index === 'number' && item.index < items.length ? item.index : nth] = item?.embedding;
  }
  return vectors;
}
