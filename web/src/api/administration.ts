import type { z } from 'zod';
import type { Access, Integration, Setting } from '../../../src/memory/operations/administration.ts';
import type { ArchiveReason } from '../../../src/memory/lifecycle.ts';
import type { CompactReport, RestoreReport } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { MigrationReport } from '../../../src/memory/operations/operations.ts';
import type { administration } from '../../../src/operations/administration.ts';
import type { backups as backupOperations } from '../../../src/operations/backups.ts';
import type { capture } from '../../../src/operations/capture.ts';
import type { keys as keyOperations } from '../../../src/operations/keys.ts';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import { wireCallsOf } from '../../../src/client/group-calls.ts';
import * as routes from '../../../src/client/routes.ts';
import { call, lore } from './client.ts';
import { transport } from './request.ts';
import type { CaptureReviewRequest } from '../../../src/memory/operations/capture-operations.ts';
import type { ListResponse } from './responses.ts';

export type { ArchiveReason, CompactReport, Integration, MigrationReport, RestoreReport, Setting };
/** Times are ISO 8601 on the wire. */
export type BackupResponse = z.input<(typeof backupOperations)['list']['result']>[number];
export type CaptureStats = z.input<(typeof capture)['stats']['result']>;

export interface SettingsResponse {
  readonly settings: readonly Setting[];
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  readonly access: Access;
}

export type ArchiveResponse = z.input<(typeof lifecycle)['archived']['result']>;
export type Archived = ArchiveResponse['entries'][number];

export const admin = {
  administration: wireCallsOf<'administration'>(routes.administration, transport),
  backups: wireCallsOf<'backups'>(routes.backups, transport),
  capture: wireCallsOf<'capture'>(routes.capture, transport),
  keys: wireCallsOf<'keys'>(routes.keys, transport),
  settings: wireCallsOf<'settings'>(routes.settings, transport),
};

export const settings = (signal?: AbortSignal): Promise<SettingsResponse> => call('settings', { signal });

/** One request of the last hour; times are ISO 8601. */
export type AnsweredRequest = z.input<(typeof administration)['requests']['result']>[number];

/** Times are ISO 8601 on the wire. */
export type ApiKey = z.input<(typeof keyOperations)['list']['result']>[number];

export interface KeysResponse {
  readonly keys: readonly ApiKey[];
  /** Name of the key of this tab. */
  readonly yours: string;
}

export const apiKeys = (signal?: AbortSignal): Promise<KeysResponse> => call('keys', { signal });

/** Without `dryRun` it only starts the migration; health reports the progress. */
export const migrate = (dryRun: boolean): Promise<MigrationReport> => lore.memories.migrate(dryRun ? { dryRun } : { wait: false });

interface ArchiveInput {
  readonly reason: ArchiveReason | '';
  /** Run that archived the entries; empty for all. */
  readonly run: string;
  readonly limit: number;
  readonly offset: number;
}

/** Latest first. */
export function archive({ reason, run, limit, offset }: ArchiveInput, signal: AbortSignal): Promise<ArchiveResponse> {
  return lore.lifecycle.archived({ limit, offset, ...(reason !== '' && { reason }), ...(run !== '' && { run }) }, { signal });
}

const INBOX_SHOWN = 20;

export type Verdict = CaptureReviewRequest['verdict'];

/** Unconfirmed captured memories, newest first; of one namespace if the key is bound to it. */
export function inbox(namespace: string | undefined, signal: AbortSignal): Promise<ListResponse> {
  const where = namespace === undefined ? { allNamespaces: true } : { namespace };
  return lore.memories.list({ pending: true, limit: INBOX_SHOWN, ...where }, { signal });
}
