import type { IncomingMessage } from 'node:http';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport, type Server } from '@modelcontextprotocol/server';

interface Asked {
  readonly req: IncomingMessage;
  /** The parsed JSON of the request. */
  readonly body: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Answers one POST in the protocol revision of the client. Each request gets a new MCP server and no state is kept, so any server can answer
 * the next one. Undefined if the client disconnected first.
 */
export async function answerPost(serverFor: () => Server, { req, body, signal }: Asked): Promise<Response | undefined> {
  const request = webRequest(req, signal);
  const isLegacy = await isLegacyRequest(request, body);
  return await (isLegacy ? answerLegacy(serverFor(), { request, body }) : answerModern(serverFor, { request, body }));
}

interface WebExchange {
  readonly request: Request;
  readonly body: unknown;
}

/** Revision 2026-07-28 and later: each request carries its protocol version and client. */
async function answerModern(serverFor: () => Server, { request, body }: WebExchange): Promise<Response> {
  const handler = createMcpHandler(serverFor, { legacy: 'reject' });
  const response = await handler.fetch(request, { parsedBody: body });
  // Lore sends no notifications: the stream of a client that listens ends at once.
  if (methodOf(body) === 'subscriptions/listen') await handler.close();
  return response;
}

const methodOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined);

/** Revisions up to 2025-11-25, without a session. Undefined if the client disconnected first. */
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

/** The request with its headers and without a body, which was read before. */
function webRequest({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));
  return new Request('http://lore/mcp', { method: 'POST', headers: pairs, signal });
}
