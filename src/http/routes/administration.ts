import { z } from 'zod';
import {
  INTEGRATION_STATES,
  type Access,
  type Administration,
  type Integration,
  type SettingsReport,
} from '../../memory/operations/administration.ts';
import { LoreError } from '../../memory/errors.ts';
import { sendJson } from '../responses/json-response.ts';
import { mayAdminister, type LoreRequest } from '../exchange.ts';
import { SettingResult } from '../../operations/settings.ts';
import { Time, writerOf } from '../../operations/wire.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

const success = z.literal(true);
const count = z.int().min(0);
const texts = z.array(z.string()).readonly();

const IntegrationSchema = z
  .object({
    target: z.string().meta({ description: 'Name for `lore setup --target`.' }),
    title: z.string(),
    scope: z.enum(['user', 'project']),
    state: z.enum(INTEGRATION_STATES),
    found: z.boolean().meta({ description: 'Whether the client was found on this machine.' }),
    files: texts,
    findings: texts.meta({ description: 'Problems, one sentence each.' }),
    command: z.string().exactOptional().meta({ description: 'The fix.' }),
  })
  .meta({ id: 'Integration' });

export const SettingsAnswer = z.object({
  success,
  count,
  settings: z.array(SettingResult).readonly(),
  files: texts.meta({ description: 'Configuration files that were read, highest priority first.' }),
  warnings: texts,
  access: z
    .object({
      keyRequired: z.boolean(),
      host: z.string(),
      everyOrigin: z.boolean().meta({ description: 'Whether pages of any web origin may use the API.' }),
    })
    .meta({ description: 'Who can access the server.' }),
});
export const IntegrationsAnswer = z.object({
  success,
  count,
  program: z.string().meta({ description: 'The command that starts this Lore in a terminal.', examples: ['lore'] }),
  integrations: z.array(IntegrationSchema).readonly(),
});

const RequestSchema = z
  .object({
    at: Time.meta({ description: 'When its answer was out.' }),
    requestId: z.string(),
    method: z.string(),
    path: z.string().meta({ description: 'Without the query; a key in it is masked.' }),
    status: count,
    ms: z.number().min(0),
    bytes: count.meta({ description: 'Bytes sent.' }),
    key: z.string().exactOptional().meta({ description: 'The name of its key; absent without one.' }),
    aborted: z.literal(true).exactOptional().meta({ description: 'The client went away before the end of the answer.' }),
  })
  .meta({ id: 'AnsweredRequest' });

export const RequestsAnswer = z.object({
  success,
  count,
  requests: z.array(RequestSchema).readonly().meta({ description: 'Newest first.' }),
});

const ofSettings = ({ settings, files, warnings }: SettingsReport, access: Access): z.output<typeof SettingsAnswer> => ({
  success: true,
  count: settings.length,
  settings,
  files,
  warnings,
  access,
});
const ofIntegrations = (integrations: readonly Integration[], program: string): z.output<typeof IntegrationsAnswer> => ({
  success: true,
  count: integrations.length,
  program,
  integrations,
});

/**
 * GET /api/settings: every configuration key. GET /api/integrations: the clients of `lore setup`. GET /api/requests: the requests of the last
 * hour. Need a key with full access to every namespace.
 */
export function bindAdministration(app: App, { settings, administration, keyRequired, answered }: RouteContext): void {
  bindResource(app, '/api/settings', {
    GET: (req, res) => {
      const report = administrationFor(req, administration).settings();
      const { enabled, origins } = settings.cors;
      const access = { keyRequired: keyRequired(), host: settings.host, everyOrigin: enabled && origins.includes('*') };
      sendJson(req, res, 200, ofSettings(report, access));
    },
  });
  bindResource(app, '/api/integrations', {
    GET: async (req, res) => {
      const surroundings = administrationFor(req, administration);
      sendJson(req, res, 200, ofIntegrations(await surroundings.integrations(), surroundings.program));
    },
  });
  bindResource(app, '/api/requests', {
    GET: (req, res) => {
      requireAdministrator(req);
      const requests = answered();
      sendJson(req, res, 200, writerOf(RequestsAnswer)({ success: true, count: requests.length, requests }));
    },
  });
}

function requireAdministrator(req: LoreRequest): void {
  if (!mayAdminister(req.grant)) throw new LoreError('forbidden', 'This requires a key with full access to all namespaces.');
}

function administrationFor(req: LoreRequest, administration: Administration | undefined): Administration {
  requireAdministrator(req);
  if (administration === undefined)
    throw new LoreError('not_found', 'Only `lore serve` shows settings and clients; this server was started another way.');
  return administration;
}
