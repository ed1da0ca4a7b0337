import {
  RemoveSourcesRequest,
  ReplaceSourcesRequest,
  SourcesRequest,
  type RemovedSource,
  type ReplacedSource,
} from '../../memory/operations/source-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET, POST and DELETE /api/sources: files whose passages are entries. */
export function bindSources(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/sources', {
    GET: queried(SourcesRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).sources.list(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.sources(page));
    }),
    POST: [
      jsonBody,
      answering<readonly ReplacedSource[]>(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(ReplaceSourcesRequest, bodyOf(req));
        const run = (options: CallOptions) => memoriesOf(req).sources.replace(request, options);
        return { run, tell: (files) => form.replaceSources(files) };
      }),
    ],
    DELETE: [
      jsonBody,
      answering<readonly RemovedSource[]>(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(RemoveSourcesRequest, bodyOf(req));
        const run = (options: CallOptions) => memoriesOf(req).sources.remove(request, options);
        return { run, tell: (files) => form.removeSources(files) };
      }),
    ],
  });
}
