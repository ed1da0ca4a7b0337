/** The operations that stand on the service itself. */
import { z } from 'zod';
import { MigrateRequest, type MemoryOperations } from '../memory/operations/operations.ts';
import { NoRequest, ofNamespace, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);

export const NamespaceResult = z
  .object({ namespace: z.string(), entries: count, containers: z.array(z.string()).readonly(), newest: Time })
  .meta({ id: 'NamespaceSummary' });

export const memories = {
  namespaces: {
    route: 'GET /api/namespaces',
    id: 'namespaces',
    summary: 'Every namespace',
    answer: 'The namespaces.',
    request: NoRequest,
    result: z.array(NamespaceResult).readonly(),
    as: 'namespaces',
    counts: 'namespaces',
    access: 'read',
    reaches: { shown: (all, own) => all.filter(({ namespace }) => namespace === own) },
    audited: 'read',
  },
  migrate: {
    route: 'POST /api/migrate',
    id: 'migrate',
    summary: 'Embed again what another model has embedded',
    description: 'A run of more than 25 seconds is answered `running` and goes on.',
    answer: 'What was done, is being done, or would be done.',
    request: MigrateRequest,
    result: z.object({
      dryRun: z.boolean(),
      status: z.enum(['nothing to do', 'planned', 'running', 'done']),
      target: z.string(),
      total: count,
      stale: count.meta({ description: 'Entries whose vector was missing or of another model.' }),
      migrated: count,
      from: z.array(z.object({ embedder: z.string(), entries: count })).readonly(),
    }),
    access: 'write',
    reaches: { namespace: true },
    unlimited: true,
    audited: 'administer',
    notes: (request, report) => ({ ...ofNamespace(request), count: report?.migrated }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'namespaces' | 'migrate'>>;
