import { SimilarRequest } from '../../memory/operations/detail-operations.ts';
import { sendJson } from '../answer.ts';
import { memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { entryId } from './entry.ts';

/** GET /api/:id/similar: the nearest entries by its stored vector. GET /api/:id/passages: the parts of its text that are found on their own. */
export function bindDetails(app: App, { settings }: RouteContext): void {
  bindResource(app, '/api/:id/similar', {
    GET: queried(SimilarRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const found = await memoriesOf(req).details.similar(entryId(req), request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.similar(found));
    }),
  });
  bindResource(app, '/api/:id/passages', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const passages = await memoriesOf(req).details.passages(entryId(req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.passages(passages));
    },
  });
}
