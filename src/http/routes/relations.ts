import { LoreError } from '../../memory/errors.ts';
import { RelatedRequest, RelateRequest, RelationsRequest, UnrelateRequest } from '../../memory/operations/relation-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { hasBody } from '../body.ts';
import { bodyOf, memoriesOf, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { queried, queryParameter, readQuery, takingQuery } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';
import { entryId } from './entry.ts';

/** GET, POST and DELETE /api/relations, and GET /api/:id/related. */
export function bindRelations(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/relations', {
    GET: queried(RelationsRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      const page = await memoriesOf(req).relations.list(request, { signal: whileConnected(res) });
      sendJson(req, res, 200, form.relations(page));
    }),
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(RelateRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).relations.relate(request, options), tell: (relation) => form.relation(relation) };
      }),
    ],
    DELETE: [
      whereSent(jsonBody),
      takingQuery(
        UnrelateRequest,
        answering(context, (req) => {
          const form = formFor(req, settings);
          const request = unrelateRequest(req);
          return { run: (options) => memoriesOf(req).relations.unrelate(request, options), tell: () => form.unrelate(request) };
        }),
      ),
    ],
  });
  bindResource(app, '/api/:id/related', {
    GET: queried(RelatedRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      sendJson(
        req,
        res,
        200,
        form.related(await memoriesOf(req).relations.related(entryId(req), request, { signal: whileConnected(res) })),
      );
    }),
  });
}

function unrelateRequest(req: LoreRequest): UnrelateRequest {
  if (!hasBody(req)) return readQuery(UnrelateRequest, req);
  const inQuery = Object.keys(UnrelateRequest.shape).find((name) => queryParameter(req, name) !== undefined);
  if (inQuery !== undefined) throw new LoreError('invalid_input', `${inQuery} must stand in the body, as there is one`);
  return parseRequest(UnrelateRequest, bodyOf(req));
}

/** The fields of a DELETE may stand in its query: many clients send no body with it. */
function whereSent(middleware: LoreMiddleware): LoreMiddleware {
  return (req, res, next) => (hasBody(req) ? middleware(req, res, next) : next());
}
