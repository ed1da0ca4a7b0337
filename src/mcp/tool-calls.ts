import type { CallToolResult, Server, Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callOptions, type Caller } from './caller.ts';
import { failedCall, failedResult } from './failure.ts';
import { NamedParams, noneNamed, parseArguments } from './requested.ts';
import type { Tool } from './tool.ts';

type AnyTool = Tool<z.ZodObject>;

/**
 * Lists tools and calls them, also those that are not listed. The protocol's library could do both, but tells a model in the words of its validator
 * what is wrong with a call: here every call is answered with a result in plain words.
 */
export function offerTools(
  server: Server,
  tools: { readonly listed: readonly AnyTool[]; readonly former: readonly AnyTool[] },
  caller: Caller,
): void {
  const known = new Map([...tools.listed, ...tools.former].map((tool) => [tool.name, tool]));
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler('tools/list', () => ({ tools: tools.listed.map(listed) }));
  server.setRequestHandler('tools/call', { params: NamedParams }, async ({ name, given }, { mcpReq: { signal } }) => {
    const tool = known.get(name);
    if (tool !== undefined) return await answerOf(tool, given, { caller, signal });
    const names = tools.listed.map((one) => one.name);
    return failedCall(`${noneNamed('tool', name, names)} Call one of these.`);
  });
}

function listed({ name, title, description, annotations, input, unlisted = [] }: AnyTool): ListedTool {
  return { name, title, description, inputSchema: schemaOf(input, unlisted), annotations };
}

/** Without the name of its dialect, which is the protocol's own, and what only a validator needs: each would cost a session tokens for each tool. */
function schemaOf(input: z.ZodObject, unlisted: readonly string[]): ListedTool['inputSchema'] {
  const shown = z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([name]) => !unlisted.includes(name))));
  const { $schema: _, ...rest } = z.toJSONSchema(shown, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples;
      delete jsonSchema.maxItems;
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
    },
  });
  return rest as ListedTool['inputSchema'];
}

async function answerOf(
  tool: AnyTool,
  given: unknown,
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    const { result, text } = await tool.run(parseArguments(tool.input, given), caller, callOptions(signal));
    return { structuredContent: result, content: [{ type: 'text', text: text ?? JSON.stringify(result) }] };
  } catch (error) {
    // It was taken back, or its client is gone: nobody reads the answer.
    if (signal.aborted) return failedCall('This call was cancelled.');
    return failedResult(error, caller);
  }
}
