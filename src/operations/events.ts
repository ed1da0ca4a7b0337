/** Being told what changes. */
import { EventsRequest, type EventOperations } from '../memory/operations/event-operations.ts';
import { ofNamespace, Streamed, type Definitions } from './operation.ts';

export const changes = {
  follow: {
    route: 'GET /api/events',
    id: 'events',
    summary: 'What changes, as it changes',
    description:
      'Server-sent events for as long as the client listens, however entries change: `saved`, `changed` and `forgotten` with the ids of at most 100 ' +
      'entries, `many` with counts where there were more. Never their content. Begins with what was missed since `Last-Event-ID`, then ' +
      '`ready`; or with `reset` in place of both where that is not known any more. `reset` also stands for what a client did not take in time: fetch again.',
    answer: 'Events, each with `id`, `event` and `data`: one line of JSON. A comment every 15 seconds keeps the connection open.',
    request: EventsRequest,
    result: Streamed,
    stream: 'out',
    view: 'followed',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: ofNamespace,
  },
} as const satisfies Definitions<EventOperations>;
