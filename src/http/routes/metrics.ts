import { LoreError } from '../../memory/errors.ts';
import { METRICS_PATH } from '../middleware/request-metrics.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

/** GET /metrics: Prometheus metrics. Needs a key for every namespace, because the metrics describe the whole store. */
export function bindMetrics(app: App, { telemetry }: RouteContext): void {
  bindResource(app, METRICS_PATH, {
    GET: async (req, res) => {
      if (req.grant?.namespace !== undefined) throw new LoreError('forbidden', 'This requires a key that is not bound to a namespace.');
      if (telemetry === undefined) throw new LoreError('not_found', 'This server was started without metrics.');
      const { contentType, text } = await telemetry.metrics();
      res.setHeader('content-type', contentType);
      res.setHeader('content-length', Buffer.byteLength(text));
      res.setHeader('cache-control', 'no-store');
      res.end(text);
    },
  });
}
