import { parseEntryId } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import { PatchRequest, UseRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, sourceOf, type LoreRequest } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET, PATCH and DELETE /api/:id. Bound last of the /api paths: `:id` matches any word. */
export function bindEntry(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/:id', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      const id = entryId(req);
      const entry = await memoriesOf(req).get(id);
      const { relations } = await memoriesOf(req).relations.list({ id });
      sendJson(req, res, 200, form.entry(entry, { relations }));
    },
    PATCH: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const id = entryId(req);
        const patch = parseRequest(PatchRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).update(id, patch, options), tell: (entry) => form.entry(entry) };
      }),
    ],
    DELETE: answering(context, (req) => {
      const form = formFor(req, settings);
      const id = entryId(req);
      return { run: (options) => memoriesOf(req).forget(id, options), tell: () => form.forget(id) };
    }),
  });
}

/** POST /api/:id/use: a person opened or copied a result. The body is an empty object. */
export function bindUse(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/:id/use', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        parseRequest(UseRequest, bodyOf(req));
        sendJson(req, res, 200, form.entry(await memoriesOf(req).markUsed(entryId(req), { source: sourceOf(req) })));
      },
    ],
  });
}

/** What cannot be an id names no entry: the answer is the same 404, and it never comes near the store. */
export function entryId(req: LoreRequest): string {
  const given = req.params['id'] ?? '';
  const id = parseEntryId(given);
  if (id === undefined) throw entryNotFound(given);
  return id;
}
