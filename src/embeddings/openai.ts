import type { Embedder } from './embedder.ts';
import { checkKey, createHostedEmbedder, type HostedOptions } from './hosted.ts';

const BASE_URL = 'https://api.openai.com/v1';
/** These make vectors of any length up to their own; other models, and other servers, refuse to be told. */
const SHORTENS = /^text-embedding-3/;

/** Vectors by OpenAI, or by any server that answers `POST {baseUrl}/embeddings` as it does. `config` where it has neither key nor address. */
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

/** `index` says which text a vector belongs to; servers that leave it out answer in order. */
function inOrder(answer: unknown): unknown[] {
  const items = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(items)) return [];
  const vectors: unknown[] = [];
  for (const [nth, item] of (items as ({ index?: unknown; embedding?: unknown } | null)[]).entries()) {
    vectors[typeof item?.index === 'number' && item.index < items.length ? item.index : nth] = item?.embedding;
  }
  return vectors;
}
