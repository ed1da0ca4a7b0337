/** How it is, what it did, what happens now. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { DiagnoseRequest } from '../../memory/operations.ts';
import { ActivityRequest, GrowthRequest, StatsRequest } from '../../memory/statistics-operations.ts';
import { McpQuery } from '../routes/mcp.ts';
import { answers, FormQuery, gets, posts, problemsOf, WITH_BODY, WITH_QUERY } from './answers.ts';
import { EventsRequest } from '../../memory/event-operations.ts';

const Ids = z.object({ ids: z.array(z.uuid()), namespaces: z.array(z.string()), count: z.int() });
const Counts = z.object({ saved: z.int(), changed: z.int(), forgotten: z.int(), namespaces: z.array(z.string()), count: z.int() });
const Nothing = z.strictObject({});
const EventData = z.union([Ids, Counts, Nothing]).meta({
  id: 'EventData',
  description: 'Of `saved`, `changed` and `forgotten` the first, of `many` the second, of `ready` and `reset` the third.',
});

const eventsOperation: ZodOpenApiOperationObject = {
  operationId: 'events',
  summary: 'What changes, as it changes',
  description:
    'Server-sent events for as long as the client listens, however entries change: `saved`, `changed` and `forgotten` with the ids of at most 100 ' +
    'entries, `many` with counts where there were more. Never their content. Begins with `ready`; with `Last-Event-ID` what was missed is told ' +
    'before that, or `reset` says that it is not known any more.',
  requestParams: {
    query: EventsRequest,
    header: z.object({ 'Last-Event-ID': z.string().optional().meta({ description: 'The id of the last event that was seen.' }) }),
  },
  responses: {
    '200': {
      description: 'Events, each with `id`, `event` and `data`: one line of JSON. A comment every 15 seconds keeps the connection open.',
      content: { 'text/event-stream': { schema: EventData } },
    },
    ...problemsOf(WITH_QUERY),
  },
};

const ofSurroundings = (answer: 'settings' | 'integrations', summary: string, said: string): ZodOpenApiOperationObject => ({
  ...gets(FormQuery, answer, summary, said),
  description: 'For keys with full access to every namespace; 404 where whoever started the server gave it nothing to tell.',
  responses: answers(answer, said, ['404', ...WITH_QUERY]),
});

const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') });
const mcpOperation: ZodOpenApiOperationObject = {
  operationId: 'mcp',
  summary: 'The Model Context Protocol',
  description: 'Streamable HTTP without sessions: one message of JSON-RPC, answered with JSON. See docs/mcp.md.',
  requestParams: { query: McpQuery },
  requestBody: { required: true, content: { 'application/json': { schema: JsonRpc } } },
  responses: {
    '200': { description: 'The answer to a request.', content: { 'application/json': { schema: JsonRpc } } },
    '202': { description: 'A notification was taken.' },
    ...problemsOf(WITH_BODY),
  },
};

export const serverPaths: ZodOpenApiPathsObject = {
  '/api/health': { get: gets(FormQuery, 'health', 'How the store and its model are', 'Healthy; what is not is in `degraded`.') },
  '/api/events': { get: eventsOperation },
  '/api/stats': {
    get: gets(StatsRequest.extend(FormQuery.shape), 'stats', 'Counts over the whole store, or one namespace', 'The counts.'),
  },
  '/api/stats/growth': {
    get: gets(GrowthRequest.extend(FormQuery.shape), 'growth', 'How the entries that are there came to be so many', 'Step by step.'),
  },
  '/api/stats/activity': {
    get: gets(
      ActivityRequest.extend(FormQuery.shape),
      'activity',
      'How much was asked, and how long the answers took',
      'Since the server started; latency over the last hour.',
    ),
  },
  '/api/diagnose': {
    post: posts(DiagnoseRequest, 'diagnose', 'Whether the indexes agree with the rows, and find what is there', 'What was found.'),
  },
  '/api/settings': { get: ofSurroundings('settings', 'The configuration in use', 'Every key; of secrets only whether they are set.') },
  '/api/integrations': { get: ofSurroundings('integrations', 'The clients that `lore setup` knows', 'How each of them stands.') },
  '/mcp': { post: mcpOperation },
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Whether the process answers',
      security: [],
      responses: { '200': { description: 'It does.', content: { 'application/json': { schema: z.object({ status: z.literal('ok') }) } } } },
    },
  },
};
