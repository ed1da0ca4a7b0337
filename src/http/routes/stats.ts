import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/stats: counts over the whole store. */
export function bindStats(app: App, { settings }: RouteContext): void {
  bindResource(app, '/api/stats', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.stats(await memoriesOf(req).stats()));
    },
  });
}
