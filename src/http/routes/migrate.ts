import { MigrateRequest } from '../../memory/operations/operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/migrate: embeds again what another model has embedded. A run of more than 25 s is answered `running` and goes on. */
export function bindMigrate(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/migrate', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const report = await memoriesOf(req).migrate(parseRequest(MigrateRequest, bodyOf(req)), { source: sourceOf(req) });
        sendJson(req, res, 200, form.migrate(report));
      },
    ],
  });
}
