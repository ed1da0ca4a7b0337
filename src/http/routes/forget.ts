import { ForgetRequest } from '../../memory/lifecycle-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** POST /api/forget: entries by filter; first how many and a token, then with the token. */
export function bindForget(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/forget', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(ForgetRequest, bodyOf(req));
        const report = await memoriesOf(req).lifecycle.forgetMany(request, { source: sourceOf(req) });
        sendJson(req, res, 200, form.forgetMany(report));
      },
    ],
  });
}
