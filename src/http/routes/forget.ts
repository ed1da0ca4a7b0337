import { ForgetRequest } from '../../memory/operations/lifecycle-operations.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/forget: entries by filter; first how many and a token, then with the token. */
export function bindForget(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/forget', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(ForgetRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).lifecycle.forgetMany(request, options), tell: (report) => form.forgetMany(report) };
      }),
    ],
  });
}
