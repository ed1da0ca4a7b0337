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
  /** Id of the request, as in the log and in `x-request-id`. */
  readonly requestId?: string | undefined;
}

/** The record of one operation. Contains no text of a memory, query or tag. */
export interface AuditRecord extends AuditedCaller {
  /** When the operation ended: ISO 8601, UTC. */
  readonly time: string;
  readonly action: AuditedAction;
  /** Name of the operation, such as `save` or `lifecycle.forgetMany`. */
  readonly operation: string;
  /** The source recorded on what it wrote: `api`, `cli`, `mcp` … */
  readonly source?: string;
  /** Name of the key, backup or setting in question. */
  readonly subject?: string;
  /** Access of the created or revoked key. */
  readonly granted?: 'full' | 'read';
  /** Namespaces that the request named. */
  readonly namespaces?: readonly string[];
  /** Ids of entries, the first 20. */
  readonly ids?: readonly string[];
  /** Number of entries read, written or removed, if the result has it; for refusals, the number of requests. */
  readonly count?: number;
  /** A dry run: nothing was changed. */
  readonly dryRun?: true;
  /** `ok` or an error code. */
  readonly result: string;
}

/** Receives records; never throws and never blocks. */
export interface AuditSink {
  write(record: AuditRecord): void;
}
