/** Events about changes. */
import { z } from 'zod';
import { EventsRequest, type EventOperations } from '../memory/operations/event-operations.ts';
import { namespaceAudit, Streamed, type Definitions } from './operation.ts';

const Ids = z.object({ ids: z.array(z.uuid()), namespaces: z.array(z.string()), count: z.int() });
const Counts = z.object({ saved: z.int(), changed: z.int(), forgotten: z.int(), namespaces: z.array(z.string()), count: z.int() });
const EventData = z.union([Ids, Counts, z.strictObject({})]).meta({
  id: 'EventData',
  description: 'The first form for `saved`, `changed` and `forgotten`, the second for `many`, the third for `ready` and `reset`.',
});

export const changes = {
  follow: {
    route: 'GET /api/events',
    id: 'events',
    summary: 'Stream changes as they happen',
    description:
      'Server-sent events for as long as the client listens, for changes by any interface: `saved`, `changed` and `forgotten` with the ids of at most 100 ' +
      'entries, `many` with counts for more. Never their content. Begins with the events missed since `Last-Event-ID`, then ' +
      '`ready`; or with `reset` instead if those are no longer known. `reset` also replaces events that a client did not read in time: fetch the data again.',
    answer: 'Events, each with `id`, `event` and `data`: one line of JSON. A comment every 15 seconds keeps the connection open.',
    request: EventsRequest,
    result: Streamed,
    stream: 'out',
    streamed: {
      query: EventsRequest,
      header: z.object({ 'Last-Event-ID': z.string().optional().meta({ description: 'Id of the last event received.' }) }),
      sends: { 'text/event-stream': EventData },
    },
    view: 'followed',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: namespaceAudit,
  },
} as const satisfies Definitions<EventOperations>;
