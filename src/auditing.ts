import type { LoadedConfig } from './config/load.ts';
import type { AuditRecord } from './memory/audit.ts';
import { LoreError } from './memory/errors.ts';
import type { Log } from './memory/log.ts';
import { AuditFile } from './service/audit/audit-file.ts';

/** What a command does to a store, its backups and its keys that is none of the operations of the memories. */
export type Deed = 'keys.generate' | 'keys.revoke' | 'backups.restore' | 'store.repair';

/** What may be said of it. */
export type DeedFacts = Pick<AuditRecord, 'subject' | 'granted' | 'namespaces' | 'count' | 'dryRun'>;

/** The audit log of a configuration; undefined where none is kept. */
export function auditOf({ config }: Pick<LoadedConfig, 'config'>, log: Pick<Log, 'warn'>): AuditFile | undefined {
  const { enabled, path: folder, ...rotation } = config.audit;
  return enabled ? new AuditFile({ folder, ...rotation }, log) : undefined;
}

interface Outcome {
  readonly facts?: DeedFacts;
  /** Why it was not done. */
  readonly error?: unknown;
}

/** Leaves the line of a deed in the audit log, where one is kept. Never rejects: where it cannot be written, `log` is told. */
export async function noteDeed(
  deed: Deed,
  { facts, error }: Outcome,
  { config, log }: Pick<LoadedConfig, 'config'> & { readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const audit = auditOf({ config }, log);
  if (audit === undefined) return;
  const result = error === undefined ? 'ok' : error instanceof LoreError ? error.code : 'internal';
  const time = new Date().toISOString();
  audit.write({ time, key: 'local', access: 'full', action: 'administer', operation: deed, ...facts, result });
  await audit.close();
}

/** Does it, and leaves its line whether it was done or not. */
export async function noted<T>(
  deed: Deed,
  { work, factsOf }: { readonly work: () => Promise<T>; readonly factsOf: (done: T | undefined) => DeedFacts },
  note: (deed: Deed, outcome: Outcome) => Promise<void>,
): Promise<T> {
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await note(deed, { facts: factsOf(undefined), error });
    throw error;
  }
  await note(deed, { facts: factsOf(done) });
  return done;
}
