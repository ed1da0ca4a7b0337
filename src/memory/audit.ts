/** Types of the audit log. */

/** Kind of an audited operation. */
export type AuditedAction = 'read' | 'write' | 'delete' | 'export' | 'import' | 'administer' | 'refuse';

/** The caller of an operation. */
export interface AuditedCaller {
  /**
   * Name of the key, never the key; `anonymous` if none is required, `none` or `unknown` if it was refused, `local` for a user who can
   * read the store folder.
   */
  readonly key: string;
  readonly access?: 'full' | 'read' | undefined;
  /** The namespace that the key is bound to. */
  readonly bound?: string | undefined;
  /** Address of the client; absent for a command that opened the store itself. */
  readonly remote?: string | undefined;
  /** Of the request, as in the log and in `x-request-id`. */
  readonly requestId?: string | undefined;
}

/** The record of one operation. Contains no text of a memory, query or tag. */
export interface AuditRecord extends AuditedCaller {
  /** ISO 8601, UTC: when it ended. */
  readonly time: string;
  readonly action: AuditedAction;
  /** Such as `save` or `lifecycle.forgetMany`. */
  readonly operation: string;
  /** What stands on what it wrote: `api`, `cli`, `mcp` … */
  readonly source?: string;
  /** Name of the key or backup in question. */
  readonly subject?: string;
  /** Access of the created or revoked key. */
  readonly granted?: 'full' | 'read';
  /** Those that the request named. */
  readonly namespaces?: readonly string[];
  /** Of entries, the first 20. */
  readonly ids?: readonly string[];
  /** Entries that were read, written or removed, where the answer says so; of refusals how many requests. */
  readonly count?: number;
  /** It only reported what would be done. */
  readonly dryRun?: true;
  /** `ok`, or the code of the error. */
  readonly result: string;
}

/** Receives records; never throws and never blocks. */
export interface AuditSink {
  write(record: AuditRecord): void;
}
