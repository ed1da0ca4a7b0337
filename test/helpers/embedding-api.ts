import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embedText } from '../../src/embeddings/builtin.ts';

export interface ApiRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** A response other than vectors: sent once, then the API continues. `'drop'` closes the connection, `'hang'` never responds. */
export type ApiFault = { status: number; headers?: Record<string, string>; text?: string } | 'drop' | 'hang';

export interface EmbeddingApi extends AsyncDisposable {
  readonly url: string;
  readonly requests: ApiRequest[];
  /** Used from the front, one per request. */
  readonly faults: ApiFault[];
  /** Factor of the vectors: real ones are not always of unit length. */
  scale: number;
  /** Number of dimensions. */
  width: number;
  /** Maps a text to a vector before it is cut to `width` and scaled. */
  embed: (text: string) => Float32Array;
  /** No request is answered before this resolves. */
  hold: Promise<void> | undefined;
}

interface OpenAiBody {
  readonly input: readonly string[];
}
interface GeminiBody {
  readonly requests: readonly { readonly content: { readonly parts: readonly [{ readonly text: string }] } }[];
}

/** A server with the embedding protocols of OpenAI and Gemini. Its vectors have 384 dimensions, or `width`. */
export async function startEmbeddingApi(): Promise<EmbeddingApi> {
  const requests: ApiRequest[] = [];
  const faults: ApiFault[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await read(request)) as Record<string, unknown>;
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    await api.hold;
    const fault = faults.shift();
    if (fault === 'hang') return;
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    if (fault) {
      response.writeHead(fault.status, fault.headers).end(fault.text ?? '{}');
      return;
    }
    const vector = (text: string): number[] => Array.from(api.embed(text).subarray(0, api.width), (value) => value * api.scale);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(body, vector)));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: EmbeddingApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    faults,
    scale: 3,
    width: 384,
    embed: embedText,
    hold: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return api;
}

function answer(body: Record<string, unknown>, vector: (text: string) => number[]): unknown {
  if ('requests' in body) {
    const { requests } = body as unknown as GeminiBody;
    return { embeddings: requests.map(({ content }) => ({ values: vector(content.parts[0].text) })) };
  }
  const { input } = body as unknown as OpenAiBody;
  // In reverse order, as the protocol allows: `index` gives the order.
  return { data: input.map((text, index) => ({ index, embedding: vector(text) })).toReversed() };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}
