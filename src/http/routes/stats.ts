import type { App, RouteContext } from '../resource.ts';
import { bindDefined } from './operation-routes.ts';

/** GET /api/stats/growth and /api/stats/activity: growth and use of the store. */
export function bindStats(app: App, context: RouteContext): void {
  bindDefined(app, context, 'statistics', {
    // Requests belong to no namespace, so a key of one namespace does not see them.
    activity: (req, { request }) =>
      request['namespace'] === undefined && req.grant?.namespace === undefined ? { requests: context.latency() } : {},
  });
}
