import type { Administration } from '../../memory/operations/administration.ts';
import { LoreError } from '../../memory/errors.ts';
import { sendJson } from '../answer.ts';
import { mayAdminister, type LoreRequest } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';

/** GET /api/settings: every key of the configuration; GET /api/integrations: the clients that `lore setup` knows. For keys with full access to every namespace. */
export function bindAdministration(app: App, { settings, administration, keyRequired }: RouteContext): void {
  bindResource(app, '/api/settings', {
    GET: (req, res) => {
      const form = formFor(req, settings);
      const report = administrationFor(req, administration).settings();
      const { enabled, origins } = settings.cors;
      const access = { keyRequired: keyRequired(), host: settings.host, everyOrigin: enabled && origins.includes('*') };
      sendJson(req, res, 200, form.settings(report, access));
    },
  });
  bindResource(app, '/api/integrations', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.integrations(await administrationFor(req, administration).integrations()));
    },
  });
}

function administrationFor(req: LoreRequest, administration: Administration | undefined): Administration {
  if (!mayAdminister(req.grant)) throw new LoreError('forbidden', 'This requires a key with full access to all namespaces.');
  if (administration === undefined)
    throw new LoreError('not_found', 'Only `lore serve` shows settings and clients; this server was started another way.');
  return administration;
}
