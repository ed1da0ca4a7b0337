/** What only a running server knows: the clients on its machine, and its requests. */
import { z } from 'zod';
import { AnsweredRequest, IntegrationsReport, type AdministrationOperations } from '../memory/operations/administration.ts';
import { NoRequest, type Definitions } from './operation.ts';

/** Both read nothing stored. Neither is audited, because neither reveals anything about memories. */
const ofServer = {
  description: 'Needs a key with full access to every namespace; 404 if the server was started without this information.',
  request: NoRequest,
  access: 'read',
  reaches: { everything: true, why: 'This requires a key with full access to all namespaces.' },
  view: 'none',
  problems: ['404'],
} as const;

export const administration = {
  integrations: {
    ...ofServer,
    route: 'GET /api/integrations',
    id: 'integrations',
    summary: 'Get the clients of `lore setup`',
    answer: 'The state of each client.',
    result: IntegrationsReport,
    counts: 'integrations',
  },
  requests: {
    ...ofServer,
    route: 'GET /api/requests',
    id: 'requests',
    summary: 'The requests of the last hour',
    answer: 'At most 500, without those for the health that succeeded. Kept in memory until the server ends.',
    result: z.array(AnsweredRequest).readonly().meta({ description: 'Newest first.' }),
    as: 'requests',
    counts: 'requests',
  },
} as const satisfies Definitions<AdministrationOperations>;
