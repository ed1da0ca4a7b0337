import type { IncomingMessage } from 'node:http';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport, type Server } from '@modelcontextprotocol/server';

interface Asked {
  readonly req: IncomingMessage;
  /** The parsed JSON of the request. */
  readonly body: unknown;
  /** Aborts where the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * The answer to one POST, by the revision of the protocol that it speaks, from a server of its own: nothing is kept between requests, so any server may answer
 * the next one. Undefined where the client went away before it.
 */
export async function answerOnce(serverFor: () => Server, { req, body, signal }: Asked): Promise<Response | undefined> {
  const request = webRequest(req, signal);
  const isLegacy = await isLegacyRequest(request, body);
  return await (isLegacy ? answerLegacy(serverFor(), { request, body }) : answerModern(serverFor, { request, body }));
}

interface WebExchange {
  readonly request: Request;
  readonly body: unknown;
}

/** 2026-07-28 and later: each request says its version and who asks. */
async function answerModern(serverFor: () => Server, { request, body }: WebExchange): Promise<Response> {
  const handler = createMcpHandler(serverFor, { legacy: 'reject' });
  const response = await handler.fetch(request, { parsedBody: body });
  // Lore sends no notifications: a client that listens is told so, and its stream ends.
  if (methodOf(body) === 'subscriptions/listen') await handler.close();
  return response;
}

const methodOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined);

/** Up to 2025-11-25, without a session. Undefined where the client went away before the answer. */
async function answerLegacy(server: Server, { request, body }: WebExchange): Promise<Response | undefined> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const gone = new Promise<undefined>((resolve) => request.signal.addEventListener('abort', () => resolve(undefined)));
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone]);
  } finally {
    await server.close();
  }
}

/** Method and headers; the body was read already. */
function webRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));
  return new Request('http://lore/mcp', { method: 'POST', headers: pairs, signal });
}
