import type { CallToolResult, Server, Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { callOptions, type Caller } from './caller.ts';
import { failedCall, failedResult } from './failure.ts';
import { NamedParams, unknownNameMessage, parseArguments } from './request-params.ts';
import type { Tool } from './tool.ts';

type AnyTool = Tool<z.ZodObject>;

/**
 * Lists and calls tools, also unlisted ones. The SDK could do both, but reports an invalid call with the message of its validator; here the
 * result is a message that a model understands.
 */
export function offerTools(
  server: Server,
  tools: { readonly listed: readonly AnyTool[]; readonly legacy: readonly AnyTool[] },
  caller: Caller,
): void {
  const known = new Map([...tools.listed, ...tools.legacy].map((tool) => [tool.name, tool]));
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler('tools/list', () => ({ tools: tools.listed.map(listed) }));
  server.setRequestHandler('tools/call', { params: NamedParams }, async ({ name, given }, { mcpReq: { signal } }) => {
    const tool = known.get(name);
    if (tool !== undefined) return await answerOf(tool, given, { caller, signal });
    const names = tools.listed.map((one) => one.name);
    return failedCall(`${unknownNameMessage('tool', name, names)} Call one of these.`);
  });
}

function listed({ name, title, description, annotations, input, unlisted = [] }: AnyTool): ListedTool {
  return { name, title, description, inputSchema: schemaOf(input, unlisted), annotations };
}

/** The JSON Schema of the arguments without `$schema` and the keywords that only a validator needs: they would cost tokens in every session. */
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
    // Cancelled, or the client disconnected: the result is not read.
    if (signal.aborted) return failedCall('This call was cancelled.');
    return failedResult(error, caller);
  }
}
