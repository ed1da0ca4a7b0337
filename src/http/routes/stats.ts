import { StatsRequest } from '../../memory/operations/statistics-operations.ts';
import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { bindDefined } from './defined.ts';

/** GET /api/stats: counts over the whole store, or one namespace. Below it how the store grew and how it is used. */
export function bindStats(app: App, context: RouteContext): void {
  bindResource(app, '/api/stats', {
    GET: queried(StatsRequest, async (req, res, request) => {
      const form = formFor(req, context.settings);
      sendJson(req, res, 200, form.stats(await memoriesOf(req).stats(request)));
    }),
  });
  bindDefined(app, context, 'statistics', {
    // Requests are of no namespace: a key that sees one alone is not told of them.
    activity: (req, { namespace }) =>
      namespace === undefined && req.grant?.namespace === undefined ? { requests: context.latency() } : {},
  });
}
