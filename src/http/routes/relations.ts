import { RelatedRequest, RelateRequest, RelationsRequest, UnrelateRequest } from '../../memory/operations/relation-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { hasBody } from '../body.ts';
import { bodyOf, memoriesOf, whileConnected, type LoreMiddleware } from '../exchange.ts';
import { readQuery } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';
import { entryId } from './entry.ts';

/** GET, POST and DELETE /api/relations, and GET /api/:id/related. */
export function bindRelations(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/relations', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).relations.list(readQuery(RelationsRequest, req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.relations(page));
    },
    POST: [
      ...jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(RelateRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).relations.relate(request, options), tell: (relation) => form.relation(relation) };
      }),
    ],
    DELETE: [
      ...jsonBody.map(whereSent),
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = hasBody(req) ? parseRequest(UnrelateRequest, bodyOf(req)) : readQuery(UnrelateRequest, req);
        return { run: (options) => memoriesOf(req).relations.unrelate(request, options), tell: () => form.unrelate(request) };
      }),
    ],
  });
  bindResource(app, '/api/:id/related', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const request = readQuery(RelatedRequest, req);
      sendJson(
        req,
        res,
        200,
        form.related(await memoriesOf(req).relations.related(entryId(req), request, { signal: whileConnected(res) })),
      );
    },
  });
}

/** The fields of a DELETE may stand in its query: many clients send no body with it. */
function whereSent(middleware: LoreMiddleware): LoreMiddleware {
  return (req, res, next) => (hasBody(req) ? middleware(req, res, next) : next());
}
