import { CompactRequest } from '../../memory/lifecycle-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** POST /api/compact: archives what the rules of compaction name, or with `dryRun` says what that is. Answers when it is done. */
export function bindCompact(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/compact', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(CompactRequest, bodyOf(req));
        const report = await memoriesOf(req).lifecycle.compact(request, { source: sourceOf(req) });
        sendJson(req, res, 200, form.compact(report));
      },
    ],
  });
}
