import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsRequestSchema, type CallToolResult, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { callOptions, type Caller } from './caller.ts';
import { failedCall, failedResult } from './failure.ts';
import { noneNamed, parseArguments, requestOf } from './requested.ts';
import type { Tool } from './tool.ts';

type AnyTool = Tool<z.ZodObject, z.ZodObject>;

const ToolCall = requestOf('tools/call');

/**
 * Lists tools and calls them. The protocol's library could do both, but tells a model in the words of its validator what is wrong with a
 * call: here every call is answered with a result in plain words.
 */
export function offerTools(server: McpServer, tools: readonly AnyTool[], caller: Caller): void {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  server.server.registerCapabilities({ tools: { listChanged: true } });
  server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.server.setRequestHandler(ToolCall, async ({ params: { name, arguments: given } }, { signal }) => {
    const tool = known.get(name);
    if (tool === undefined) return failedCall(`${noneNamed('tool', name, [...known.keys()])} Call one of these.`);
    return await answerOf(tool, given, { caller, signal });
  });
}

function listed({ name, title, description, annotations, input, output }: AnyTool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input') as ListedTool['inputSchema'],
    annotations,
    outputSchema: schemaOf(output, 'output') as NonNullable<ListedTool['outputSchema']>,
  };
}

/** Without the name of its dialect, which is the protocol's own and would cost a session tokens for each tool. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

async function answerOf(
  tool: AnyTool,
  { given }: { readonly given: unknown },
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    const { result, text } = await tool.run(parseArguments(tool.input, given), caller, callOptions(signal));
    return { structuredContent: result, content: [{ type: 'text', text: text ?? JSON.stringify(result) }] };
  } catch (error) {
    return failedResult(error, caller);
  }
}
