import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Log } from '../memory/log.ts';
import type { Caller, McpMemories } from './caller.ts';
import { contextTool } from './context-tool.ts';
import { offerPrompts } from './prompts.ts';
import { getTool, healthTool, listTool, recallTool, searchTool } from './reading-tools.ts';
import { redactedMemories } from './redacted-memories.ts';
import { offerResources } from './resources.ts';
import { offerTools } from './tool-calls.ts';
import { forgetTool, relateTool, saveTool } from './writing-tools.ts';

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

const INSTRUCTIONS =
  'Lore remembers across sessions. Before a task call memory_context with the request of the user; before a decision call memory_recall. When something was ' +
  'decided, preferred, found out or fixed that a later session should know, call memory_save: one fact per call, in words that make sense alone.';

const TOOLS = [contextTool, recallTool, searchTool, saveTool, relateTool, listTool, getTool, forgetTool, healthTool] as const;

/** An MCP server over the memories, for one client; nothing is opened, and it speaks once it is connected to a transport. */
export function createMcpServer(memories: McpMemories, options: McpServerOptions): McpServer {
  const { version, namespace = () => Promise.resolve(undefined), includeGlobal = true, trusted = false, log } = options;
  const server = new McpServer({ name: 'lore', title: 'Lore', version }, { instructions: INSTRUCTIONS });
  const caller: Caller = { memories: redactedMemories(memories), namespace, includeGlobal, trusted, log };
  offerTools(server, TOOLS, caller);
  offerResources(server, caller);
  offerPrompts(server, caller);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
  server.server.onerror = (err) => log.debug({ err }, 'a message over MCP could not be handled');
  return server;
}
