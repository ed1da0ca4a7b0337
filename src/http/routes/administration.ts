import { z } from 'zod';
import { AnsweredRequest, Integration, type Administration } from '../../memory/operations/administration.ts';
import { LoreError } from '../../memory/errors.ts';
import { sendJson } from '../responses/json-response.ts';
import { mayAdminister, type LoreRequest } from '../exchange.ts';
import { writerOf } from '../../operations/wire.ts';
import { bindResource, type App, type RouteContext } from '../resource.ts';

const success = z.literal(true);
const count = z.int().min(0);

export const IntegrationsAnswer = z.object({
  success,
  count,
  program: z.string().meta({ description: 'The command that starts this Lore in a terminal.', examples: ['lore'] }),
  integrations: z.array(Integration).readonly(),
});
export const RequestsAnswer = z.object({
  success,
  count,
  requests: z.array(AnsweredRequest).readonly().meta({ description: 'Newest first.' }),
});

/**
 * GET /api/integrations: the clients of `lore setup`. GET /api/requests: the requests of the last hour. Need a key with full access to every
 * namespace.
 */
export function bindAdministration(app: App, { administration, answered }: RouteContext): void {
  bindResource(app, '/api/integrations', {
    GET: async (req, res) => {
      const surroundings = administrationFor(req, administration);
      const integrations = await surroundings.integrations();
      sendJson(req, res, 200, { success: true, count: integrations.length, program: surroundings.program, integrations });
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
    throw new LoreError('not_found', 'Only `lore serve` shows clients; this server was started another way.');
  return administration;
}
