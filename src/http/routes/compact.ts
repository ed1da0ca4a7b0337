import { CompactRequest } from '../../memory/operations/lifecycle-operations.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/compact: archives what the rules of compaction name, or with `dryRun` says what that is. Answers when it is done. */
export function bindCompact(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/compact', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(CompactRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).lifecycle.compact(request, options), tell: (report) => form.compact(report) };
      }),
    ],
  });
}
