import { ArchiveRequest, RestoreRequest } from '../../memory/operations/lifecycle-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET /api/archive: one page of what was put away. POST /api/restore: brings it back. */
export function bindArchive(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/archive', {
    GET: queried(ArchiveRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).lifecycle.archived(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.archive(page));
    }),
  });
  bindResource(app, '/api/restore', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(RestoreRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).lifecycle.restore(request, options), tell: (report) => form.restore(report) };
      }),
    ],
  });
}
