import { VerifyRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/verify: whether every entry is what was saved, by reading all of them from the disk. */
export function bindVerify(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/verify', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(VerifyRequest, bodyOf(req));
        const report = await memoriesOf(req).verify(request, { source: sourceOf(req), signal: whileConnected(res) });
        sendJson(req, res, 200, form.verify(report));
      },
    ],
  });
}
