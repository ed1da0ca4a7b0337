import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { GUIDANCE } from '../memory/guidance.ts';
import type { Log } from '../memory/log.ts';
import type { Caller, McpMemories } from './caller.ts';
import { offerPrompts } from './prompts.ts';
import { redactedMemories } from './redacted-memories.ts';
import { offerResources } from './resources.ts';
import { offerTools } from './tool-calls.ts';
import { TOOLS } from './tools.ts';

interface McpServerOptions {
  readonly version: string;
  /** Default namespace of calls. Without it the default of the memories applies. */
  readonly namespace?: (() => Promise<string | undefined>) | undefined;
  /** Default of `includeGlobal` in a recall. Default true. */
  readonly includeGlobal?: boolean;
  /** The client is the user of this machine: errors may name its files. Default false. */
  readonly trusted?: boolean;
  readonly log: Log;
}

/** For lists that change only with the version of Lore and are the same for every client. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': FIXED,
  'tools/list': FIXED,
  'prompts/list': FIXED,
  'resources/templates/list': FIXED,
};

/** Requests of one client in progress at once, including cancelled ones. */
const MAX_AT_ONCE = 256;
const TOO_MANY: readonly [code: number, message: string] = [
  -32_000,
  `More than ${MAX_AT_ONCE} requests at once. Wait for some of the answers.`,
];

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * Replaces the SDK's validator messages for invalid requests by a short one. For `tools/call`, `offerTools` does its own validation.
 */
class PlainServer extends Server {
  #atOnce = 0;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = method === 'tools/call' ? handler : super._wrapHandler(method, handler);
    return async (request, context) => {
      if (this.#atOnce >= MAX_AT_ONCE) throw new ProtocolError(...TOO_MANY);
      this.#atOnce += 1;
      try {
        return await checked(request, context);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The params are not valid for \`${method}\`.`);
      } finally {
        this.#atOnce -= 1;
      }
    };
  }
}

/** Creates an MCP server over the memories for one client. Opens nothing; connect it to a transport. */
export function createMcpServer(memories: McpMemories, options: McpServerOptions): Server {
  const { version, namespace = () => Promise.resolve(undefined), includeGlobal = true, trusted = false, log } = options;
  const server = new PlainServer({ name: 'lore', title: 'Lore', version }, { instructions: GUIDANCE, cacheHints: CACHE_HINTS });
  const caller: Caller = { memories: redactedMemories(memories), namespace, includeGlobal, trusted, log };
  offerTools(server, TOOLS, caller);
  offerResources(server, caller);
  offerPrompts(server, caller);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
  server.onerror = (err) => log.debug({ err }, 'an MCP message could not be handled');
  return server;
}
