import { SaveRequest } from '../../memory/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** POST /api/save: stores one entry. */
export function bindSave(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/save', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const receipt = await memoriesOf(req).save(parseRequest(SaveRequest, bodyOf(req)), { source: sourceOf(req) });
        sendJson(req, res, 200, form.save(receipt));
      },
    ],
  });
}
