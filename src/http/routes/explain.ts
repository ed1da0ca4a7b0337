import { ExplainRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/explain: why an entry is or is not among the results of a search. */
export function bindExplain(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/explain', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(ExplainRequest, bodyOf(req));
        const report = await memoriesOf(req).explain(request, { source: sourceOf(req), signal: whileConnected(res) });
        sendJson(req, res, 200, form.explain(report));
      },
    ],
  });
}
