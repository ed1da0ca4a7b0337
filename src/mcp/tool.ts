import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { Caller } from './caller.ts';

interface Answer {
  readonly result: Record<string, unknown>;
  /** Text for the model; default: the result as JSON. */
  readonly text?: string;
}

export interface Tool<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Written for a model that chooses between tools. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Strict: unknown arguments are refused by name. */
  readonly input: I;
  /** Arguments that work but are not listed: few calls need them, and every session pays tokens for listed ones. */
  readonly unlisted?: readonly string[];
  run(request: z.output<I>, caller: Caller, options: CallOptions): Promise<Answer>;
}

/** A tool whose request is typed by its schema. */
export function tool<I extends z.ZodObject>(definition: Tool<I>): Tool<I> {
  return definition;
}

/** Annotations of a tool that only reads the store. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Annotations of a tool that adds to the store; safe to repeat. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Annotations of a tool that removes from the store; safe to repeat. */
export const REMOVES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
