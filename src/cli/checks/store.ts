import type { LoadedConfig } from '../../config/load.ts';
import type { DiagnoseRequest, Diagnosis, Health, MemoryOperations } from '../../memory/operations.ts';
import type { Finding, StoreFacts } from '../checkup.ts';
import { duration } from '../output.ts';
import { statusLine } from '../progress.ts';

/** Entries may be without a backup for so long. */
const BACKUP_LATE_MS = 7 * 86_400_000;

export interface StoreCheck {
  readonly facts: StoreFacts;
  readonly findings: readonly Finding[];
  readonly diagnosis?: Diagnosis;
}

/** What an open store says about itself. `request` asks for a diagnosis, which reads every row. */
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
      ...lastBackup,
    },
    findings: [
      ...[...new Set(health.degraded)].map((reason) => degradedFinding(reason, health, config)),
      ...(diagnosis?.findings ?? []).map((problem): Finding => ({ about: 'indexes', problem, fix: INDEX_FIX })),
      ...(await backupFindings(memories, { health, newest })),
    ],
    ...(diagnosis !== undefined && { diagnosis }),
  };
}

const INDEX_FIX = 'Leave a server running for a while: it indexes and merges behind the requests. Then look again with --recall.';

async function diagnose(memories: MemoryOperations, request: DiagnoseRequest): Promise<Diagnosis> {
  const status = statusLine();
  status.show('Searching for entries of the store, through the index and exactly …');
  try {
    return await memories.diagnose(request, { source: 'cli' });
  } finally {
    status.clear();
  }
}

/** What to do about what health calls degraded, by its words. */
const FIXES: readonly (readonly [RegExp, Finding['about'], string])[] = [
  [/keyword only/, 'embedder', 'Run `lore migrate`, once the configured model answers; until then these entries are found by their words.'],
  [
    /backup/i,
    'backups',
    'See that the folder of the backups (storage.backupPath) can be written and has room; `lore backup now` tries at once.',
  ],
  [/^The disk of the store/, 'store', 'Free space on that disk, or move the store to a larger one (storage.path).'],
  [/not as saved/, 'store', '`lore verify` names the entries; save them again, or restore a backup of before with `lore backup restore`.'],
  [/quarantine|cannot be read/, 'store', 'Look whether something is missing; `lore backup list` shows what could be restored.'],
  [/built again behind/, 'indexes', 'Nothing: leave the server running for a while.'],
  [/Optimizing/, 'store', 'Restart the server with --verbose and look at its log; see that the disk has room.'],
];

function degradedFinding(problem: string, { embedder }: Health, { embeddings }: LoadedConfig['config']): Finding {
  const known = FIXES.find(([pattern]) => pattern.test(problem));
  if (known !== undefined) return { about: known[1], problem, fix: known[2] };
  if (embedder.standsInFor === undefined)
    return { about: 'store', problem, fix: 'The log of the server (`lore serve --verbose`) says more.' };
  const isLocal = embeddings.provider === 'local';
  const fix = isLocal
    ? `Let this machine reach ${embeddings.remoteHost} once, or copy the files into ${embeddings.localModelPath} (docs/embeddings.md), or set embeddings.provider to builtin.`
    : 'Check embeddings.apiKey, embeddings.baseUrl and embeddings.model, and that the service answers.';
  return { about: 'embedder', problem, fix };
}

async function backupFindings(memories: MemoryOperations, { health, newest }: { health: Health; newest: number }): Promise<Finding[]> {
  const { lastBackup } = health;
  if (health.totalEntries === 0 || (lastBackup !== undefined && lastBackup.createdAt >= newest)) return [];
  const since = lastBackup?.createdAt ?? (await oldestEntry(memories));
  const age = Date.now() - since;
  if (age < BACKUP_LATE_MS) return [];
  const problem =
    lastBackup === undefined
      ? `There is no backup, and there are entries since ${duration(age)}.`
      : `The last backup is ${duration(age)} old, and entries have come since.`;
  return [
    { about: 'backups', problem, fix: 'Run `lore backup now`; a running `lore serve` makes them by itself (storage.backupInterval).' },
  ];
}

async function oldestEntry(memories: MemoryOperations): Promise<number> {
  const { entries } = await memories.list({ allNamespaces: true, limit: 1, sort: 'createdAt' });
  return entries[0]?.createdAt ?? Date.now();
}
