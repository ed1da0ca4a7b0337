import { RemoveSourcesRequest, ReplaceSourcesRequest, SourcesRequest } from '../../memory/source-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { readQuery } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** GET, POST and DELETE /api/sources: files whose passages are entries. */
export function bindSources(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/sources', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).sources.list(readQuery(SourcesRequest, req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.sources(page));
    },
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(ReplaceSourcesRequest, bodyOf(req));
        sendJson(req, res, 200, form.replaceSources(await memoriesOf(req).sources.replace(request, { source: sourceOf(req) })));
      },
    ],
    DELETE: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(RemoveSourcesRequest, bodyOf(req));
        sendJson(req, res, 200, form.removeSources(await memoriesOf(req).sources.remove(request, { source: sourceOf(req) })));
      },
    ],
  });
}
