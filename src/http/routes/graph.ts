import { GraphRequest } from '../../memory/operations/relation-operations.ts';
import { sendJson } from '../answer.ts';
import { memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/graph: entries and the relations between them, as many as a picture can show. */
export function bindGraph(app: App, { settings }: RouteContext): void {
  bindResource(app, '/api/graph', {
    GET: queried(GraphRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const graph = await memoriesOf(req).relations.graph(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.graph(graph));
    }),
  });
}
