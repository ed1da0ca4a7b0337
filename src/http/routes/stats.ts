import { ActivityRequest, GrowthRequest, StatsRequest } from '../../memory/operations/statistics-operations.ts';
import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/**
 * GET /api/stats: counts over the whole store, or one namespace. GET /api/stats/growth: how it came to be so many. GET /api/stats/activity: how much was
 * asked, and how long the answers took.
 */
export function bindStats(app: App, { settings, latency }: RouteContext): void {
  bindResource(app, '/api/stats', {
    GET: queried(StatsRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.stats(await memoriesOf(req).stats(request)));
    }),
  });
  bindResource(app, '/api/stats/growth', {
    GET: queried(GrowthRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.growth(await memoriesOf(req).statistics.growth(request)));
    }),
  });
  bindResource(app, '/api/stats/activity', {
    GET: queried(ActivityRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      // Requests are of no namespace: whoever sees one alone is not told of them.
      const requests = request.namespace === undefined && req.grant?.namespace === undefined ? latency() : undefined;
      sendJson(req, res, 200, form.activity(await memoriesOf(req).statistics.activity(request), { requests }));
    }),
  });
}
