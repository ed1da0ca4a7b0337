/** Paths about the server: health, statistics, metrics, events, administration and MCP. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { McpQuery } from '../routes/mcp.ts';
import { Problem, problemsOf, WITH_BODY, WITH_QUERY } from './components.ts';
import { definedPaths } from './operation-paths.ts';

const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') });
const JsonRpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
    id: z.union([z.string(), z.number(), z.null()]),
  })
  .meta({ id: 'JsonRpcError' });
const mcpOperation: ZodOpenApiOperationObject = {
  operationId: 'mcp',
  summary: 'The Model Context Protocol',
  description: 'Streamable HTTP without sessions: one JSON-RPC message, answered with JSON. See docs/mcp.md.',
  requestParams: { query: McpQuery },
  requestBody: { required: true, content: { 'application/json': { schema: JsonRpc } } },
  responses: {
    '200': { description: 'The response to a request.', content: { 'application/json': { schema: JsonRpc } } },
    '202': { description: 'The notification was accepted.' },
    ...problemsOf(WITH_BODY),
    '400': {
      description: 'The request is not valid (an error as in other routes), or its message is not JSON-RPC (a JSON-RPC error).',
      content: { 'application/json': { schema: z.union([Problem, JsonRpcError]) } },
    },
    '406': {
      description: 'The client does not accept both `application/json` and `text/event-stream`.',
      content: { 'application/json': { schema: JsonRpcError } },
    },
  },
};

const metricsOperation: ZodOpenApiOperationObject = {
  operationId: 'metrics',
  summary: 'Get metrics for Prometheus',
  description:
    'The text format of Prometheus; docs/observability.md lists the metrics. Needs a key that is not bound to a namespace; 404 if the server ' +
    'records no metrics.',
  responses: {
    '200': { description: 'The metrics.', content: { 'text/plain': { schema: z.string() } } },
    ...problemsOf(['404', ...WITH_QUERY]),
  },
};

const statusAnswer = (status: string, description: string) => ({
  description,
  content: { 'application/json': { schema: z.object({ status: z.literal(status) }) } },
});
const ofProbe = (id: string, summary: string, responses: ZodOpenApiOperationObject['responses']): ZodOpenApiOperationObject => ({
  operationId: id,
  summary,
  security: [],
  responses: { ...responses, ...problemsOf(['403', '405']) },
});

export const serverPaths: ZodOpenApiPathsObject = {
  ...definedPaths('memories', ['health']),
  ...definedPaths('changes'),
  ...definedPaths('memories', ['stats']),
  ...definedPaths('statistics'),
  ...definedPaths('memories', ['diagnose', 'verify']),
  ...definedPaths('settings', ['list']),
  ...definedPaths('administration'),
  '/mcp': { post: mcpOperation },
  '/metrics': { get: metricsOperation },
  '/healthz': { get: ofProbe('healthz', 'Check that the process is alive', { '200': statusAnswer('ok', 'It is.') }) },
  '/readyz': {
    get: ofProbe('readyz', 'Check that the server accepts saves', {
      '200': statusAnswer('ready', 'It would.'),
      '503': statusAnswer('not ready', 'The store is closing, read-only or full, or needs a restart.'),
    }),
  },
};
