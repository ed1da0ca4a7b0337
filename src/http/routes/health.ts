import { sendJson } from '../responses/json-response.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

/** GET /healthz: the process answers. GET /readyz: whether the store would accept a save. Both need no key and return no data. */
export function bindProbes(app: App, { isReady }: RouteContext): void {
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
