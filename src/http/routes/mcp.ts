import { z } from 'zod';
import { Namespace } from '../../memory/entry.ts';
import { sendText } from '../responses/compression.ts';
import { bodyOf, memoriesOf } from '../exchange.ts';
import { ownOrigins } from '../middleware/hosts.ts';
import { withQuery } from '../query.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

export const McpQuery = z.strictObject({
  namespace: Namespace.optional().meta({ description: 'Namespace of calls without one. Default: the namespace of the server.' }),
});

/** POST /mcp: the Model Context Protocol (Streamable HTTP) without sessions, so there is no GET and no DELETE. */
export function bindMcp(app: App, { settings, jsonBody, log }: RouteContext, version: string): void {
  bindResource(app, '/mcp', {
    POST: [
      ownOrigins(settings),
      jsonBody,
      withQuery(McpQuery, async (req, res, { namespace }) => {
        // Imported on the first request, so that the server starts faster.
        const [{ createMcpServer }, { answerPost }] = await Promise.all([
          import('../../mcp/server.ts'),
          import('../../mcp/stateless-http.ts'),
        ]);
        const caller = {
          version,
          namespace: () => Promise.resolve(namespace ?? req.grant?.namespace),
          includeGlobal: req.grant?.namespace === undefined,
          log,
        };
        const gone = new AbortController();
        res.once('close', () => gone.abort());
        const asked = { req, body: bodyOf(req), signal: gone.signal };
        const answer = await answerPost(() => createMcpServer(memoriesOf(req), caller), asked);
        if (answer === undefined || res.destroyed) return;
        const text = await answer.text();
        res.statusCode = answer.status;
        res.setHeaders(answer.headers);
        sendText(req, res, text);
      }),
    ],
  });
}
