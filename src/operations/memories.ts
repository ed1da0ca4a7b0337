/** The operations that are methods of the service itself. */
import { z } from 'zod';
import { MigrateRequest, MigrationReport, NamespaceSummary, type MemoryOperations } from '../memory/operations/operations.ts';
import { NoRequest, namespaceAudit, type Definitions } from './operation.ts';

export const memories = {
  namespaces: {
    route: 'GET /api/namespaces',
    id: 'namespaces',
    summary: 'List namespaces',
    answer: 'The namespaces.',
    request: NoRequest,
    result: z.array(NamespaceSummary).readonly(),
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
    result: MigrationReport,
    access: 'write',
    reaches: { namespace: true },
    unlimited: true,
    audited: 'administer',
    notes: (request, report) => ({ ...namespaceAudit(request), count: report?.migrated }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'namespaces' | 'migrate'>>;
