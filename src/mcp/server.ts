import { Server, type JSONRPCRequest, type Result, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import { GUIDANCE } from '../memory/guidance.ts';
import type { Log } from '../memory/log.ts';
import type { Caller, McpMemories } from './caller.ts';
import { offerPrompts } from './prompts.ts';
import { redactedMemories } from './redacted-memories.ts';
import { offerResources } from './resources.ts';
import { offerTools } from './tool-calls.ts';
import { TOOLS } from './tools.ts';

export interface McpServerOptions {
  readonly version: string;
  /** Where entries go and come from when a call names no namespace. Default: what the memories do then. */
  readonly namespace?: (() => Promise<string | undefined>) | undefined;
  /** Whether a recall that does not say looks at global entries too. Default true. */
  readonly includeGlobal?: boolean;
  /** The client is the user of this machine: errors may name its files. Default false. */
  readonly trusted?: boolean;
  readonly log: Log;
}

/** These change with the version of Lore alone, and are the same for everyone. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': FIXED,
  'tools/list': FIXED,
  'prompts/list': FIXED,
  'resources/templates/list': FIXED,
};

/** The protocol's library checks a call before its tool sees it, and refuses it in the words of a validator: `offerTools` does that in plain words. */
class ToolServer extends Server {
  protected override _wrapHandler(
    method: string,
    handler: (request: JSONRPCRequest, context: ServerContext) => Promise<Result>,
  ): (request: JSONRPCRequest, context: ServerContext) => Promise<Result> {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler);
  }
}

/** An MCP server over the memories, for one client; nothing is opened, and it speaks once it is connected to a transport. */
export function createMcpServer(memories: McpMemories, options: McpServerOptions): Server {
  const { version, namespace = () => Promise.resolve(undefined), includeGlobal = true, trusted = false, log } = options;
  const server = new ToolServer({ name: 'lore', title: 'Lore', version }, { instructions: GUIDANCE, cacheHints: CACHE_HINTS });
  const caller: Caller = { memories: redactedMemories(memories), namespace, includeGlobal, trusted, log };
  offerTools(server, TOOLS, caller);
  offerResources(server, caller);
  offerPrompts(server, caller);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
  server.onerror = (err) => log.debug({ err }, 'a message over MCP could not be handled');
  return server;
}
