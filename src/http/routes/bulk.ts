import { TagRequest, TimelineRequest } from '../../memory/operations/bulk-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET /api/timeline: entries per day. POST /api/tags: tags of many entries. An accepted one is finished, also where its client goes. */
export function bindBulk(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/timeline', {
    GET: queried(TimelineRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const timeline = await memoriesOf(req).bulk.timeline(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.timeline(timeline));
    }),
  });
  bindResource(app, '/api/tags', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(TagRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).bulk.tag(request, options), tell: (report) => form.tagged(report) };
      }),
    ],
  });
}
