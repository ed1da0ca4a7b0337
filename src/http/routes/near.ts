import { NearRequest } from '../../memory/operations/detail-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/near: entries that say nearly the same as a text that is not stored. */
export function bindNear(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/near', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const found = await memoriesOf(req).details.near(parseRequest(NearRequest, bodyOf(req)), { signal: whileConnected(res) });
        sendJson(req, res, 200, form.near(found));
      },
    ],
  });
}
