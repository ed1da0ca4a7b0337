import { UndoRequest } from '../../memory/lifecycle-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';
import { entryId } from './entry.ts';

/** GET /api/:id/history: what an entry was before. POST /api/:id/undo: takes its last change back; the body is an empty object. */
export function bindHistory(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/:id/history', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const history = await memoriesOf(req).lifecycle.history(entryId(req), { signal: whileConnected(res) });
      sendJson(req, res, 200, form.history(history));
    },
  });
  bindResource(app, '/api/:id/undo', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const id = entryId(req);
        parseRequest(UndoRequest, bodyOf(req));
        sendJson(req, res, 200, form.entry(await memoriesOf(req).lifecycle.undo(id, { source: sourceOf(req) })));
      },
    ],
  });
}
