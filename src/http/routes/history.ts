import { UndoRequest } from '../../memory/operations/lifecycle-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';
import { entryId } from './entry.ts';

/** GET /api/:id/history: what an entry was before. POST /api/:id/undo: takes its last change back; the body is an empty object. */
export function bindHistory(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/:id/history', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const history = await memoriesOf(req).lifecycle.history(entryId(req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.history(history));
    },
  });
  bindResource(app, '/api/:id/undo', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const id = entryId(req);
        parseRequest(UndoRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).lifecycle.undo(id, options), tell: (entry) => form.entry(entry) };
      }),
    ],
  });
}
