import type { HealthResponse } from '../api/responses.ts';
import { counted } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { adminTexts } from './texts.ts';
import type { Part } from './parts.ts';
import type { Overview } from './use-overview.ts';

/** A problem, its effect, and the action that fixes it. */
export interface Warning {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly to: Part } | { readonly label: string; readonly backUp: true };
}

const { warnings } = adminTexts;
/** Up to this number, exact search is fast enough. */
const MANY_UNINDEXED = 10_000;
const UNINDEXED_SHARE = 0.2;
const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|\[::1\]|localhost)$/;
/** A server makes its first backup one minute after its start. */
const FIRST_BACKUP_MS = 300_000;

/** Whether an address is reachable from this machine only. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** Whether a large part of the store is not indexed. */
export function isBehind({ indexedRows, unindexedRows }: { readonly indexedRows: number; readonly unindexedRows: number }): boolean {
  return unindexedRows > Math.max(MANY_UNINDEXED, (indexedRows + unindexedRows) * UNINDEXED_SHARE);
}

interface Reason {
  readonly pattern: RegExp;
  readonly kind: 'vectors' | 'index' | 'backup';
  readonly about: (reason: string) => Warning;
}

/** Explanations of the server's reasons, by their beginning or a word in them. */
const REASONS: readonly Reason[] = [
  {
    pattern: /stands in/,
    kind: 'vectors',
    about: (reason) => ({
      title: warnings.fallback,
      text: warnings.fallbackText(reason),
      action: { label: warnings.progress, to: 'data' },
    }),
  },
  {
    pattern: /lore migrate/,
    kind: 'vectors',
    about: (reason) => ({ title: warnings.vectors, text: reason, action: { label: warnings.reembed, to: 'data' } }),
  },
  { pattern: /found by keyword only/, kind: 'vectors', about: (reason) => ({ title: warnings.vectors, text: reason }) },
  { pattern: /^Optimizing/, kind: 'index', about: (reason) => ({ title: warnings.slow, text: reason }) },
  {
    pattern: /^The last backup failed/,
    kind: 'backup',
    about: (reason) => ({ title: warnings.backupFailed, text: reason, action: { label: warnings.backUp, backUp: true } }),
  },
];

/** Whether a reason says that entries wait for vectors. */
export const isAboutVectors = (reason: string): boolean => reasonOf(reason)?.kind === 'vectors';

/** All warnings, most urgent first. Unknown reasons of the server are shown unchanged. */
export function warningsOf({ health, stats, settings, boundTo }: Overview): readonly Warning[] {
  const found: (Warning | undefined)[] = [settings && exposure(settings.access), ...health.degraded.map(explained)];
  if (stats?.storage !== undefined && isBehind(stats.storage)) {
    found.push({ title: warnings.slow, text: warnings.behind(counted(stats.storage.unindexedRows, texts.memory, texts.memories)) });
  }
  // A key of one namespace gets no information about backups.
  if (settings !== undefined && boundTo === undefined)
    found.push(backupless(health, settings.settings.find(({ key }) => key === 'storage.backupInterval')?.value));
  return found.filter((warning) => warning !== undefined);
}

function exposure({ keyRequired, host, everyOrigin }: { keyRequired: boolean; host: string; everyOrigin: boolean }): Warning | undefined {
  if (keyRequired) return undefined;
  const action = { label: warnings.setKey, to: 'keys' } as const;
  if (!isLoopback(host)) return { title: warnings.exposed, text: warnings.exposedText(host), action };
  return everyOrigin ? { title: warnings.open, text: warnings.openText, action } : undefined;
}

const reasonOf = (reason: string): Reason | undefined => REASONS.find(({ pattern }) => pattern.test(reason));

const explained = (reason: string): Warning => reasonOf(reason)?.about(reason) ?? { title: reason, text: '' };

function backupless(health: HealthResponse, interval: unknown): Warning | undefined {
  if (health.lastBackup !== undefined || health.stats.totalEntries === 0) return undefined;
  if (interval !== 0 && health.uptimeMs < FIRST_BACKUP_MS) return undefined;
  const text = interval === 0 ? warnings.noBackupEver : warnings.noBackupText;
  return { title: warnings.noBackup, text, action: { label: warnings.backUp, backUp: true } };
}
