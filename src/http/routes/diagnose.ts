import { DiagnoseRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/diagnose: how well the indexes agree with the rows, by searching for rows of the store through the index and exactly. */
export function bindDiagnose(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/diagnose', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(DiagnoseRequest, bodyOf(req));
        const diagnosis = await memoriesOf(req).diagnose(request, { source: sourceOf(req), signal: whileConnected(res) });
        sendJson(req, res, 200, form.diagnose(diagnosis));
      },
    ],
  });
}
