import type { App, RouteContext } from '../resource.ts';
import { bindDefined } from './defined.ts';

/** GET /api/stats/growth and /api/stats/activity: how the store grew and how it is used. */
export function bindStats(app: App, context: RouteContext): void {
  bindDefined(app, context, 'statistics', {
    // Requests are of no namespace: a key that sees one alone is not told of them.
    activity: (req, { request }) =>
      request['namespace'] === undefined && req.grant?.namespace === undefined ? { requests: context.latency() } : {},
  });
}
