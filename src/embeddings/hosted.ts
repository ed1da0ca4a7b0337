import { LoreError } from '../memory/errors.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';
import { postJson, type ServiceFacts } from './hosted-request.ts';
import { cancelled, closedError } from './embedder-errors.ts';
import { firstChars } from './text-limit.ts';
import { scaleToUnit } from './unit-length.ts';
import { DOCUMENT_VERSION } from './document-versions.ts';

export interface HostedOptions {
  readonly model: string;
  readonly dimensions: number;
  /** Maximum number of texts in one request. */
  readonly batchSize: number;
  /** Optional with `baseUrl`: the server may need none. */
  readonly apiKey?: string | undefined;
  /** Base address before the path of the protocol; default the address of the provider. */
  readonly baseUrl?: string | undefined;
  /** Time limit of one request, milliseconds. */
  readonly timeoutMs: number;
  /** First delay before a retry, doubling each time, milliseconds. Default 500. */
  readonly retryMs?: number;
}

/** The protocol of one provider. */
interface Protocol {
  readonly provider: 'openai' | 'gemini';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  body(texts: readonly string[], purpose: 'document' | 'query'): unknown;
  /** Extracts the vectors of a response, in the order of the texts, unvalidated. */
  vectors(answer: unknown): unknown[];
}

/** UTF-16 units sent per text: within the 8,191 tokens of the hosted models in every script, and far more than a passage. */
const READ_CHARS = 8_000;

/** An embedder over HTTP: batches, retries temporary failures, validates every number. */
export function createHostedEmbedder(protocol: Protocol, options: HostedOptions): Embedder {
  return new HostedModel(protocol, options);
}

/** Throws `config` without a key, unless `baseUrl` names a server, such as Ollama, that may need none. */
export function checkKey(provider: 'openai' | 'gemini', { apiKey, baseUrl }: HostedOptions): void {
  if (apiKey !== undefined || baseUrl !== undefined) return;
  throw new LoreError('config', `The embedding provider ${provider} requires an API key.`, {
    hint: 'Set SERVICE_EMBEDDINGS_API_KEY, or set embeddings.baseUrl to a server that requires no key.',
  });
}

class HostedModel implements Embedder {
  readonly provider: 'openai' | 'gemini';
  readonly kind = 'semantic';
  readonly model: string;
  readonly dimensions: number;
  readonly fingerprint: string;
  readonly #protocol: Protocol;
  readonly #options: HostedOptions;
  readonly #closing = new AbortController();

  constructor(protocol: Protocol, options: HostedOptions) {
    this.#protocol = protocol;
    this.#options = options;
    this.provider = protocol.provider;
    this.model = options.model;
    this.dimensions = options.dimensions;
    this.fingerprint = `${protocol.provider}/${options.model}/${options.dimensions}/${DOCUMENT_VERSION}`;
  }

  async embedDocuments(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    this.#check(options.signal);
    const vectors: Float32Array[] = [];
    const size = this.#options.batchSize;
    for (let start = 0; start < texts.length; start += size) {
      vectors.push(...(await this.#request(texts.slice(start, start + size), 'document', options.signal)));
    }
    return vectors;
  }

  async embedQuery(text: string, options: EmbedOptions = {}): Promise<Float32Array> {
    this.#check(options.signal);
    const [vector] = await this.#request([text], 'query', options.signal);
    return vector as Float32Array;
  }

  report(): ReturnType<Embedder['report']> {
    return { state: 'ready' };
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closing.signal.aborted) throw closedError(this.provider);
    if (signal?.aborted) throw cancelled(signal);
  }

  async #request(texts: readonly string[], purpose: 'document' | 'query', signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { timeoutMs, retryMs = 500 } = this.#options;
    const both = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    try {
      // Servers reject empty text; any vector will do for it.
      const body = this.#protocol.body(
        texts.map((text) => firstChars(text, READ_CHARS) || ' '),
        purpose,
      );
      const { url, headers } = this.#protocol;
      const answer = await postJson({ url, headers, body, timeoutMs, retryMs, facts: this.#facts(), signal: both });
      return this.#read(answer, texts.length);
    } catch (error) {
      this.#check(signal);
      throw error;
    }
  }

  #read(answer: unknown, count: number): Float32Array[] {
    const made = this.#protocol.vectors(answer);
    if (made.length !== count || !made.every(isVector)) {
      throw new LoreError('network', `${this.provider} sent a response without ${count} valid vector${count === 1 ? '' : 's'}.`, {
        hint: 'Check embeddings.baseUrl and embeddings.model.',
      });
    }
    return made.map((numbers) => this.#unit(numbers));
  }

  #unit(numbers: number[]): Float32Array {
    if (numbers.length !== this.dimensions) {
      const sizes = `makes vectors of ${numbers.length} numbers; ${this.dimensions} are configured`;
      throw new LoreError('config', `The model ${this.model} of ${this.provider} ${sizes}.`, {
        hint: `Set embeddings.dimensions (SERVICE_EMBEDDINGS_DIMENSIONS) to ${numbers.length}, or choose another model.`,
      });
    }
    const vector = Float32Array.from(numbers);
    if (scaleToUnit(vector)) return vector;
    throw new LoreError('network', `${this.provider} sent a zero vector.`);
  }

  #facts(): ServiceFacts {
    const { model, apiKey } = this.#options;
    return { provider: this.provider, model, secret: apiKey };
  }
}

function isVector(made: unknown): made is number[] {
  return Array.isArray(made) && made.every((number) => typeof number === 'number' && Number.isFinite(number));
}
