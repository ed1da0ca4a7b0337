import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Answers one POST of Streamable HTTP without a session, and closes the server with the response. `body` is the parsed JSON of the request. */
export async function answerOnce(server: McpServer, exchange: { req: IncomingMessage; res: ServerResponse; body: unknown }): Promise<void> {
  const { req, res, body } = exchange;
  // No id is made, so nothing is kept between requests and any server may answer the next one.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  res.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(req, res, body);
}
