import type { GetPromptResult, Prompt as ListedPrompt, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { PAGE_CHARS } from './result-size.ts';
import { isVisible } from '../memory/names.ts';
import { callOptions, type Caller } from './caller.ts';
import { contextRequest } from './context-tool.ts';
import { refuse } from './failure.ts';
import { NamedParams, unknownNameMessage, parseArguments } from './request-params.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const CONTEXT_TOKENS = 1_500;
/** A prompt repeats its arguments, so they are limited to the size of a result. */
const Words = z.string().max(PAGE_CHARS, `must have at most ${PAGE_CHARS} characters`);
const Task = Words.refine(isVisible, 'must not be blank');

interface Prompt<I extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Strict. Only strings: the protocol has no other arguments. */
  readonly input: I;
  text(given: z.output<I>, caller: Caller, signal: AbortSignal): string | Promise<string>;
}
const prompt = <I extends z.ZodObject>(definition: Prompt<I>): Prompt<I> => definition;

const PROMPTS: readonly Prompt<z.ZodObject>[] = [
  prompt({
    name: 'recall-context',
    title: 'Recall context',
    description: 'Begin a task with the memories about it.',
    input: z.strictObject({ task: Task.meta({ description: 'The task you are about to begin.' }) }),
    async text({ task }, caller, signal) {
      const request = await contextRequest({ prompt: task, maxTokens: CONTEXT_TOKENS }, caller);
      const { text } = await caller.memories.capture.context(request, callOptions(signal));
      return `${task}\n\n${text === '' ? 'Nothing is remembered about this yet.' : text}`;
    },
  }),
  prompt({
    name: 'save-decision',
    title: 'Save a decision',
    description: 'Save a decision and its reason for later sessions.',
    input: z.strictObject({
      decision: Words.min(1, 'must not be empty').meta({ description: 'The decision.' }),
      reason: Words.optional().meta({ description: 'The reason, and the rejected alternatives.' }),
    }),
    text: ({ decision, reason }) => decisionText(decision, reason),
  }),
];

/** Prompts for users: recalling memories, and saving a decision. */
export function offerPrompts(server: Server, caller: Caller): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS.map(listed) }));
  server.setRequestHandler('prompts/get', { params: NamedParams }, async ({ name, given }, { mcpReq: { signal } }) => {
    try {
      const named = PROMPTS.find((known) => known.name === name);
      if (named === undefined) throw noPrompt(name);
      return fromUser(await named.text(parseArguments(named.input, given), caller, signal));
    } catch (error) {
      return refuse(error, caller);
    }
  });
}

function noPrompt(name: string): LoreError {
  const known = PROMPTS.map((prompt) => prompt.name);
  return new LoreError('invalid_input', unknownNameMessage('prompt', name, known));
}

function listed({ name, title, description, input }: Prompt<z.ZodObject>): ListedPrompt {
  const fields = Object.entries<z.ZodType>(input.shape);
  return {
    name,
    title,
    description,
    arguments: fields.map(([field, type]) => ({
      name: field,
      ...withoutUndefined({ description: type.description }),
      required: !(type instanceof z.ZodOptional),
    })),
  };
}

function decisionText(decision: string, reason: string | undefined): string {
  return [
    'Remember this decision with memory_save, as kind `decision`.',
    'Write one entry of one to three sentences that makes sense alone: the decision, its reason, the rejected alternatives, and the subject.',
    'If the answer names an entry in `near` that this decision replaces, call memory_relate with `supersedes` from the new entry to the old one.',
    '',
    `Decision: ${decision}`,
    reason === undefined || reason.trim() === ''
      ? 'Reason: take it from our conversation; ask me if it is not there.'
      : `Reason: ${reason}`,
  ].join('\n');
}

function fromUser(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
