/** Statistics and checks of a store. */
import { DiagnoseRequest, Diagnosis, Stats, VerifyReport, type MemoryOperations } from '../memory/operations/operations.ts';
import { StatsRequest } from '../memory/operations/statistics-operations.ts';
import { NoRequest, namespaceAudit, type Definitions } from './operation.ts';

export const checks = {
  stats: {
    route: 'GET /api/stats',
    id: 'stats',
    summary: 'Get statistics of the store or a namespace',
    answer: 'The counts.',
    request: StatsRequest,
    result: Stats,
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: namespaceAudit,
  },
  diagnose: {
    route: 'POST /api/diagnose',
    id: 'diagnose',
    summary: 'Check the indexes against exact search',
    answer: 'The results.',
    request: DiagnoseRequest,
    result: Diagnosis,
    access: 'read',
    // It concerns the whole store, and costs as much as many searches.
    reaches: { everything: true, why: 'A diagnosis needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
  verify: {
    route: 'POST /api/verify',
    id: 'verify',
    summary: 'Verify every entry and file',
    description: 'Reads every entry from the disk, and for a store in a folder every file, and compares checksums.',
    answer: 'Entries and files read, and those that are altered.',
    request: NoRequest,
    result: VerifyReport,
    access: 'read',
    reaches: { everything: true, why: 'Comparing every entry with its checksum needs a key with full access to every namespace.' },
    unlimited: true,
    audited: 'administer',
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'stats' | 'diagnose' | 'verify'>>;
