import { ListRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/list: one page of entries. */
export function bindList(app: App, { settings }: RouteContext): void {
  bindResource(app, '/api/list', {
    GET: queried(ListRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).list(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.list(page));
    }),
  });
}
