import { EntitiesRequest, RenamePathRequest } from '../../memory/relation-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { readQuery } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** GET /api/entities: what entries name; POST /api/entities/rename: a file or folder that moved. */
export function bindEntities(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/entities', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const report = await memoriesOf(req).relations.entities(readQuery(EntitiesRequest, req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.entities(report));
    },
  });
  bindResource(app, '/api/entities/rename', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(RenamePathRequest, bodyOf(req));
        sendJson(req, res, 200, form.renamePath(await memoriesOf(req).relations.renamePath(request, { source: sourceOf(req) })));
      },
    ],
  });
}
