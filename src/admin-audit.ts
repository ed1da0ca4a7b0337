import type { LoadedConfig } from './config/load.ts';
import type { AuditRecord } from './memory/audit.ts';
import { LoreError } from './memory/errors.ts';
import type { Log } from './memory/log.ts';
import { AuditFile } from './service/audit/audit-file.ts';

/** Administration of a store, its backups or its keys by a command, which no operation of the service covers. */
export type AdminAction = 'keys.generate' | 'keys.revoke' | 'backups.restore' | 'store.repair';

/** The audit record of an action. */
export type AdminFacts = Pick<AuditRecord, 'subject' | 'granted' | 'namespaces' | 'count' | 'dryRun'>;

/** The audit log of a configuration; undefined if it is disabled. */
export function auditOf({ config }: Pick<LoadedConfig, 'config'>, log: Pick<Log, 'warn'>): AuditFile | undefined {
  const { enabled, path: folder, ...rotation } = config.audit;
  return enabled ? new AuditFile({ folder, ...rotation }, log) : undefined;
}

interface Outcome {
  readonly facts?: AdminFacts;
  /** Why the action failed. */
  readonly error?: unknown;
}

/** Writes an action to the audit log if it is enabled. Never rejects: a failed write is logged as a warning. */
export async function recordAction(
  action: AdminAction,
  { facts, error }: Outcome,
  { config, log }: Pick<LoadedConfig, 'config'> & { readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const audit = auditOf({ config }, log);
  if (audit === undefined) return;
  const result = error === undefined ? 'ok' : error instanceof LoreError ? error.code : 'internal';
  const time = new Date().toISOString();
  audit.write({ time, key: 'local', access: 'full', action: 'administer', operation: action, ...facts, result });
  await audit.close();
}

/** Runs an action and records its outcome, also when it fails. */
export async function runRecorded<T>(
  action: AdminAction,
  { work, factsOf }: { readonly work: () => Promise<T>; readonly factsOf: (done: T | undefined) => AdminFacts },
  note: (action: AdminAction, outcome: Outcome) => Promise<void>,
): Promise<T> {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await note(action, { facts: factsOf(undefined), error });
    throw error;
  }
  await note(action, { facts: factsOf(done) });
  return done;
}
