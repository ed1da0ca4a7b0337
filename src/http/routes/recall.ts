import { RecallRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/recall: what is relevant to a query, within a namespace. */
export function bindRecall(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/recall', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(RecallRequest, bodyOf(req));
        const results = await memoriesOf(req).recall(request, { source: sourceOf(req), signal: whileConnected(res) });
        sendJson(req, res, 200, form.recall(results));
      },
    ],
  });
}
