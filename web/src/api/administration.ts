/** Requests of the administration. */
import type { z } from 'zod';
import type { Access, AnsweredRequest as Answered, Integration, Setting } from '../../../src/memory/operations/administration.ts';
import type { BackupCheck } from '../../../src/memory/operations/backup-operations.ts';
import type { ArchiveReason } from '../../../src/memory/lifecycle.ts';
import type { CompactReport, RestoreReport, RestoreRequest } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { MigrationReport } from '../../../src/memory/operations/operations.ts';
import type { backups as backupOperations } from '../../../src/operations/backups.ts';
import type { capture } from '../../../src/operations/capture.ts';
import type { keys as keyOperations } from '../../../src/operations/keys.ts';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import { call, lore } from './client.ts';
import type { CaptureReviewReport, CaptureReviewRequest } from '../../../src/memory/operations/capture-operations.ts';
import type { ListAnswer } from './forms.ts';

export type { Access, ArchiveReason, CompactReport, Integration, MigrationReport, RestoreReport, Setting };
/** Times are ISO 8601 on the wire. */
export type BackupAnswer = z.input<(typeof backupOperations)['list']['result']>[number];
export type CaptureStats = z.input<(typeof capture)['stats']['result']>;

export interface SettingsAnswer {
  readonly settings: readonly Setting[];
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  readonly access: Access;
}

export type ArchiveAnswer = z.input<(typeof lifecycle)['archived']['result']>;
export type Archived = ArchiveAnswer['entries'][number];

export const settings = (signal?: AbortSignal): Promise<SettingsAnswer> => call('settings', { signal });

/** As a text; without one the default applies again. */
export const changeSetting = (key: string, value: string | undefined): Promise<unknown> =>
  call('settings/change', { method: 'POST', body: { key, value } });

interface IntegrationsAnswer {
  /** The command that starts Lore in a terminal on the server's machine. */
  readonly program: string;
  readonly integrations: readonly Integration[];
}

export const integrations = (signal?: AbortSignal): Promise<IntegrationsAnswer> => call('integrations', { signal });

/** One request of the last hour; times are ISO 8601. */
export type AnsweredRequest = Omit<Answered, 'at'> & { readonly at: string };

/** Newest first. */
export async function requests(signal?: AbortSignal): Promise<readonly AnsweredRequest[]> {
  return (await call<{ requests: readonly AnsweredRequest[] }>('requests', { signal })).requests;
}

/** Times are ISO 8601 on the wire. */
export type ApiKey = z.input<(typeof keyOperations)['list']['result']>[number];

export interface KeysAnswer {
  readonly keys: readonly ApiKey[];
  /** Name of the key of this tab. */
  readonly yours: string;
}

export const apiKeys = (signal?: AbortSignal): Promise<KeysAnswer> => call('keys', { signal });

/** The key itself is in this answer only. */
export const createKey = (body: z.input<(typeof keyOperations)['generate']['request']>): Promise<ApiKey & { readonly key: string }> =>
  call('keys', { method: 'POST', body });

export const revokeKey = (id: string): Promise<unknown> => call('keys', { method: 'DELETE', body: { id } });

export const captureStats = (signal?: AbortSignal): Promise<CaptureStats> => call('capture/stats', { signal });

/** Newest first. */
export async function backups(signal?: AbortSignal): Promise<readonly BackupAnswer[]> {
  return (await call<{ backups: readonly BackupAnswer[] }>('backups', { signal })).backups;
}

/** Resolves once the backup is complete and on disk. */
export async function backUp(): Promise<BackupAnswer> {
  return (await call<{ backup: BackupAnswer }>('backups', { method: 'POST', body: {}, unlimited: true })).backup;
}

/** Reads every byte of the backup. */
export const verifyBackup = (name: string): Promise<BackupCheck> =>
  call('backups/verify', { method: 'POST', body: { name }, unlimited: true });

/** Without `dryRun` it only starts the migration; health reports the progress. */
export const migrate = (dryRun: boolean): Promise<MigrationReport> => lore.memories.migrate(dryRun ? { dryRun } : { wait: false });

export const compact = (dryRun: boolean): Promise<CompactReport> => lore.lifecycle.compact({ dryRun });

interface ArchiveWish {
  readonly reason: ArchiveReason | '';
  /** Run that archived the entries; empty for all. */
  readonly run: string;
  readonly limit: number;
  readonly offset: number;
}

/** Latest first. */
export function archive({ reason, run, limit, offset }: ArchiveWish, signal?: AbortSignal): Promise<ArchiveAnswer> {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (reason !== '') query.set('reason', reason);
  if (run !== '') query.set('run', run);
  return call('archive', { query, signal });
}

/** By ids (at most 1,000), or all entries of a run. */
export const restore = (which: RestoreRequest): Promise<RestoreReport> => lore.lifecycle.restore(which);

const INBOX_SHOWN = 20;

export type Verdict = CaptureReviewRequest['verdict'];

/** Unconfirmed captured memories, newest first; of one namespace if the key is bound to it. */
export function inbox(namespace: string | undefined, signal: AbortSignal): Promise<ListAnswer> {
  const query = new URLSearchParams({ pending: 'true', limit: String(INBOX_SHOWN) });
  if (namespace === undefined) query.set('allNamespaces', 'true');
  else query.set('namespace', namespace);
  return call('list', { query, signal });
}

/** Confirms or archives captured memories. */
export const review = (ids: readonly string[], verdict: Verdict): Promise<CaptureReviewReport> =>
  call('capture/review', { method: 'POST', body: { ids, verdict }, unlimited: true });
