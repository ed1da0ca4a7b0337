import { parseEntryId } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import { PatchRequest } from '../../memory/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, type LoreRequest } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/** GET, PATCH and DELETE /api/:id. Bound last of the /api paths: `:id` matches any word. */
export function bindEntry(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/:id', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const id = entryId(req);
      const entry = await memoriesOf(req).get(id);
      const { relations } = await memoriesOf(req).relations.list({ id });
      sendJson(req, res, 200, form.entry(entry, { relations }));
    },
    PATCH: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const id = entryId(req);
        const patch = parseRequest(PatchRequest, bodyOf(req));
        sendJson(req, res, 200, form.entry(await memoriesOf(req).update(id, patch, { source: sourceOf(req) })));
      },
    ],
    DELETE: async (req, res) => {
      const form = formFor(req, settings);
      const id = entryId(req);
      await memoriesOf(req).forget(id, { source: sourceOf(req) });
      sendJson(req, res, 200, form.forget(id));
    },
  });
}

/** What cannot be an id names no entry: the answer is the same 404, and it never comes near the store. */
export function entryId(req: LoreRequest): string {
  const given = req.params['id'] ?? '';
  const id = parseEntryId(given);
  if (id === undefined) throw entryNotFound(given);
  return id;
}
