import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/health: how the store and its model are; GET /healthz: only that the process answers, without data and without a key. */
export function bindHealth(app: App, { settings, storageType, requests }: RouteContext): void {
  bindResource(app, '/api/health', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.health(await memoriesOf(req).health(), { storageType, requests: requests() }));
    },
  });
  bindResource(app, '/healthz', { GET: (req, res) => sendJson(req, res, 200, { status: 'ok' }) }, { open: true });
}
