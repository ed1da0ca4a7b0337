import { SaveRequest } from '../../memory/operations/operations.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/save: stores one entry. */
export function bindSave(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/save', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(SaveRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).save(request, options), tell: (receipt) => form.save(receipt) };
      }),
    ],
  });
}
