import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/**
 * GET /api/health: how the store and its model are, and what the key that asks may do; GET /healthz: only that the process answers, without
 * data and without a key; GET /readyz: whether a save would be taken, likewise.
 */
export function bindHealth(app: App, { settings, storageType, requests, isReady }: RouteContext): void {
  bindResource(app, '/api/health', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const health = await memoriesOf(req).health();
      const { access = 'read', namespace } = req.grant ?? {};
      const key = { access, ...(namespace !== undefined && { namespace }) };
      sendJson(req, res, 200, form.health(health, { storageType, requests: requests(), key }));
    },
  });
  bindResource(app, '/healthz', { GET: (req, res) => sendJson(req, res, 200, { status: 'ok' }) }, { open: true });
  bindResource(
    app,
    '/readyz',
    {
      GET: async (req, res) => {
        const ready = await isReady();
        sendJson(req, res, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
      },
    },
    { open: true },
  );
}
