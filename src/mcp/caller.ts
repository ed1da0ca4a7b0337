import type { CaptureOperations } from '../memory/operations/capture-operations.ts';
import type { Log } from '../memory/log.ts';
import type { CallOptions, MemoryOperations } from '../memory/operations/operations.ts';
import type { LifecycleOperations } from '../memory/operations/lifecycle-operations.ts';
import type { RelationOperations } from '../memory/operations/relation-operations.ts';

/** The operations that the MCP server needs. */
export type McpMemories = Pick<
  MemoryOperations,
  'save' | 'recall' | 'search' | 'list' | 'get' | 'update' | 'forget' | 'namespaces' | 'health'
> & {
  readonly relations: Pick<RelationOperations, 'relate' | 'list'>;
  readonly lifecycle: Pick<LifecycleOperations, 'forgetMany'>;
  readonly capture: Pick<CaptureOperations, 'context'>;
};

/** The caller of an MCP server. */
export interface Caller {
  readonly memories: McpMemories;
  /** Default namespace of calls; if undefined, the default of the server. */
  readonly namespace: () => Promise<string | undefined>;
  /** Default of `includeGlobal`; false if the caller may not see global entries. */
  readonly includeGlobal: boolean;
  /** The caller is the user of this machine: errors may name its files. */
  readonly trusted: boolean;
  readonly log: Log;
}

/** Options of every operation that an MCP call runs. */
export const callOptions = (signal: AbortSignal): CallOptions => ({ source: 'mcp', signal });
