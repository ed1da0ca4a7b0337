import { EntitiesRequest, RenamePathRequest } from '../../memory/operations/relation-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET /api/entities: what entries name; POST /api/entities/rename: a file or folder that moved. */
export function bindEntities(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/entities', {
    GET: queried(EntitiesRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const report = await memoriesOf(req).relations.entities(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.entities(report));
    }),
  });
  bindResource(app, '/api/entities/rename', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(RenamePathRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).relations.renamePath(request, options), tell: (report) => form.renamePath(report) };
      }),
    ],
  });
}
