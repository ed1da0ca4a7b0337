/** The operations that are methods of the service itself. */
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
    summary: 'List namespaces',
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
    summary: 'Re-embed entries of another model',
    description: 'If a run takes more than 25 seconds, the response is `running` and the run continues.',
    answer: 'The result, the progress, or in a dry run the plan.',
    request: MigrateRequest,
    result: z.object({
      dryRun: z.boolean(),
      status: z.enum(['nothing to do', 'planned', 'running', 'done']),
      target: z.string(),
      total: count,
      stale: count.meta({ description: 'Entries with a missing vector or a vector of another model.' }),
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
