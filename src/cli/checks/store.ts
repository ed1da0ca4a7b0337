import type { LoadedConfig } from '../../config/load.ts';
import type { DiagnoseRequest, Diagnosis, Health, MemoryOperations } from '../../memory/operations/operations.ts';
import { isRemote } from '../../memory/store-address.ts';
import type { Finding, StoreFacts } from './checkup.ts';
import { degradedFinding } from './degraded.ts';
import { duration } from '../print/output.ts';
import { statusLine } from '../print/progress.ts';
import { versioningOf } from './versioning.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** Longest time without a backup before a warning. */
const BACKUP_LATE_MS = 7 * DAY_MS;

export interface StoreCheck {
  readonly facts: StoreFacts;
  readonly findings: readonly Finding[];
  readonly diagnosis?: Diagnosis;
}

/** Checks an open store. `request` adds a diagnosis, which reads every row. */
export async function checkStore(
  { memories, server }: { memories: MemoryOperations; server: string | undefined },
  config: LoadedConfig['config'],
  request: DiagnoseRequest | undefined,
): Promise<StoreCheck> {
  const [health, stats] = await Promise.all([memories.health(), memories.stats()]);
  const diagnosis = request === undefined ? undefined : await diagnose(memories, request);
  const lastBackup = health.lastBackup && { lastBackup: health.lastBackup };
  const newest = Math.max(0, ...stats.namespaces.map((summary) => summary.newest));
  return {
    facts: {
      server: server ?? null,
      entries: health.totalEntries,
      maintenance: health.maintenance,
      storage: stats.storage,
      embedder: health.embedder,
      ...withoutUndefined({ versioning: versioningOf(health.storage.path), servers: health.storage.servers }),
      ...lastBackup,
    },
    findings: [
      ...[...new Set(health.degraded)].map((reason) => degradedFinding(reason, health, config.embeddings)),
      ...(diagnosis?.findings ?? []).map((problem): Finding => ({ about: 'indexes', problem, fix: INDEX_FIX })),
      // A server of an earlier version does not compare searches.
      ...searchFindings(diagnosis?.search),
      ...(await backupFindings(memories, { health, newest })),
    ],
    ...withoutUndefined({ diagnosis }),
  };
}

const INDEX_FIX = 'Leave a server running for a while: it indexes and merges in the background. Then check again with --recall.';

const searchFindings = (search: Diagnosis['search'] | undefined): Finding[] =>
  search?.finding === undefined ? [] : [{ about: 'search', ...search.finding }];

async function diagnose(memories: MemoryOperations, request: DiagnoseRequest): Promise<Diagnosis> {
  const status = statusLine();
  status.show('Searching for entries of the store …');
  try {
    return await memories.diagnose(request, { source: 'cli' });
  } finally {
    status.clear();
  }
}

async function backupFindings(memories: MemoryOperations, { health, newest }: { health: Health; newest: number }): Promise<Finding[]> {
  const { lastBackup, storage } = health;
  if (health.totalEntries === 0 || (lastBackup !== undefined && lastBackup.createdAt >= newest)) return [];
  const since = lastBackup?.createdAt ?? (await oldestEntry(memories));
  const age = Date.now() - since;
  if (age < BACKUP_LATE_MS) return [];
  const problem =
    lastBackup === undefined
      ? `There is no backup, and the first entry is ${duration(age)} old.`
      : `The last backup is ${duration(age)} old, and there are newer entries.`;
  const fix = 'Run `lore backup now`; a running `lore serve` makes backups automatically (storage.backupInterval).';
  return [{ about: 'backups', problem, fix: isRemote(storage.path ?? '') ? `Set storage.backupPath if it is not set. ${fix}` : fix }];
}

async function oldestEntry(memories: MemoryOperations): Promise<number> {
  const { entries } = await memories.list({ allNamespaces: true, limit: 1, sort: 'createdAt' });
  return entries[0]?.createdAt ?? Date.now();
}
