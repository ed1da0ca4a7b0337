import { sendJson } from '../answer.ts';
import { memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/namespaces: every namespace with its size. */
export function bindNamespaces(app: App, { settings }: RouteContext): void {
  bindResource(app, '/api/namespaces', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.namespaces(await memoriesOf(req).namespaces()));
    },
  });
}
