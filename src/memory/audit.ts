/** Who did what to the memories, as it is kept by those who want to know. */

/** What an operation is to the memories. */
export type AuditedAction = 'read' | 'write' | 'delete' | 'export' | 'import' | 'administer' | 'refuse';

/** For whom operations are carried out. */
export interface AuditedCaller {
  /** Name of the key, never the key; `anonymous` where none is needed, `none` or `unknown` where one is and it was refused, `local` for anyone who may read the folder of the store. */
  readonly key: string;
  readonly access?: 'full' | 'read' | undefined;
  /** The namespace that the key is bound to. */
  readonly bound?: string | undefined;
  /** Address of the client; absent for a command that opened the store itself. */
  readonly remote?: string | undefined;
  /** Of the request, as in the log and in `x-request-id`. */
  readonly requestId?: string | undefined;
}

/** One operation. Holds no text of a memory, of a query or of a tag. */
export interface AuditRecord extends AuditedCaller {
  /** ISO 8601, UTC: when it ended. */
  readonly time: string;
  readonly action: AuditedAction;
  /** Such as `save` or `lifecycle.forgetMany`. */
  readonly operation: string;
  /** What stands on what it wrote: `api`, `cli`, `mcp` … */
  readonly source?: string;
  /** Name of the key or of the backup that it is about, where it is about one. */
  readonly subject?: string;
  /** What the key allows that was made or taken away. */
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

/** Takes records; never throws and never keeps anyone waiting. */
export interface AuditSink {
  write(record: AuditRecord): void;
}
