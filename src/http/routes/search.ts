import { SearchRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/search: what is relevant to a query, across namespaces. */
export function bindSearch(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/search', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(SearchRequest, bodyOf(req));
        const results = await memoriesOf(req).search(request, { source: sourceOf(req), signal: whileConnected(res) });
        sendJson(req, res, 200, form.search(results));
      },
    ],
  });
}
