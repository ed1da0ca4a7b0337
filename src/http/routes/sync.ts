import type { z } from 'zod';
import {
  SyncApplyRequest,
  SyncDigestsRequest,
  SyncEntriesRequest,
  SyncStampsRequest,
  type SyncOperations,
  type SyncOptions,
} from '../../memory/operations/sync-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

type Form = ReturnType<typeof formFor>;

/** POST /api/sync/digests, /stamps, /entries and /apply: what two stores ask each other, in this order. All of them may be repeated. */
export function bindSync(app: App, context: RouteContext): void {
  bindSyncing(app, context, 'digests', SyncDigestsRequest, async (sync, request, form) => form.syncDigests(await sync.digests(request)));
  bindSyncing(app, context, 'stamps', SyncStampsRequest, async (sync, request, form) => form.syncStamps(await sync.stamps(request)));
  bindSyncing(app, context, 'entries', SyncEntriesRequest, async (sync, request, form) => form.syncEntries(await sync.entries(request)));
  bindSyncing(app, context, 'apply', SyncApplyRequest, async (sync, request, form, options) =>
    form.syncApplied(await sync.apply(request, options)),
  );
}

function bindSyncing<T extends z.ZodObject>(
  app: App,
  context: RouteContext,
  name: keyof SyncOperations,
  schema: T,
  answer: (sync: SyncOperations, request: z.output<T>, form: Form, options: SyncOptions) => Promise<object>,
): void {
  bindResource(app, `/api/sync/${name}`, {
    POST: [
      context.jsonBody,
      async (req, res) => {
        const request = parseRequest(schema, bodyOf(req));
        const options = { source: sourceOf(req) };
        sendJson(req, res, 200, await answer(memoriesOf(req).sync, request, formFor(req, context.settings), options));
      },
    ],
  });
}
