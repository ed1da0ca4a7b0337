import type { McpServer, ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { CallOptions } from '../memory/operations/operations.ts';
import { callOptions, type Caller } from './caller.ts';
import { failedResult } from './failure.ts';

interface Answer<T> {
  readonly result: T;
  /** What a model reads; default the result as JSON. */
  readonly text?: string;
}

export interface Tool<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Written for a model that chooses between tools. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: I;
  readonly output: O;
  run(request: z.output<I>, caller: Caller, options: CallOptions): Promise<Answer<z.input<O>>>;
}

/** A tool whose request and answer are typed by its schemas. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(definition: Tool<I, O>): Tool<I, O> {
  return definition;
}

/** Looks and changes nothing, and only at what is in the store. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Adds to the store; once more is the same. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Takes away from the store; once more is the same. */
export const REMOVES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

/** Offers a tool to the client of a server. What it throws becomes a result in plain words. */
export function offer<I extends z.ZodObject, O extends z.ZodObject>(server: McpServer, definition: Tool<I, O>, caller: Caller): void {
  const { name, title, description, annotations, input, output } = definition;
  const call = async (request: z.output<I>, { signal }: { signal: AbortSignal }): Promise<CallToolResult> => {
    try {
      const { result, text } = await definition.run(request, caller, callOptions(signal));
      return { structuredContent: result, content: [{ type: 'text', text: text ?? JSON.stringify(result) }] };
    } catch (error) {
      return failedResult(error, caller);
    }
  };
  const config = { title, description, annotations, inputSchema: input, outputSchema: output };
  server.registerTool<z.ZodObject, z.ZodObject>(name, config, call as unknown as ToolCallback<z.ZodObject>);
}
