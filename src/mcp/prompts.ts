import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { callOptions, type Caller } from './caller.ts';
import { contextRequest } from './context-tool.ts';
import { refuse } from './failure.ts';

const CONTEXT_TOKENS = 1_500;
const Task = z.string().refine((text) => text.trim() !== '', 'must not be blank');

/** What a user picks in the client: bringing memories into a conversation, and keeping a decision. */
export function offerPrompts(server: McpServer, caller: Caller): void {
  server.registerPrompt(
    'recall-context',
    {
      title: 'Recall context',
      description: 'Begin a task with what is remembered about it.',
      argsSchema: { task: Task.meta({ description: 'What you are about to do.' }) },
    },
    async ({ task }, { signal }) => {
      try {
        const request = await contextRequest({ prompt: task, maxTokens: CONTEXT_TOKENS }, caller);
        const { text } = await caller.memories.capture.context(request, callOptions(signal));
        return fromUser(`${task}\n\n${text === '' ? 'Nothing is remembered about this yet.' : text}`);
      } catch (error) {
        return refuse(error, caller);
      }
    },
  );
  server.registerPrompt(
    'save-decision',
    {
      title: 'Save a decision',
      description: 'Keep a decision and its reason for later sessions.',
      argsSchema: {
        decision: z.string().min(1).meta({ description: 'What was decided.' }),
        reason: z.string().optional().meta({ description: 'Why, and what was turned down.' }),
      },
    },
    ({ decision, reason }) => fromUser(decisionText(decision, reason)),
  );
}

function decisionText(decision: string, reason: string | undefined): string {
  return [
    'Remember this decision with memory_save, tagged `decision`.',
    'Write one entry of one to three sentences that makes sense alone: what was decided, why, what was turned down, and what it is about.',
    'Where the answer names an entry in `near` that this decision replaces, call memory_relate with `supersedes` from the new entry to the old one.',
    '',
    `Decision: ${decision}`,
    reason === undefined || reason.trim() === ''
      ? 'Reason: take it from our conversation; ask me where it is not there.'
      : `Reason: ${reason}`,
  ].join('\n');
}

function fromUser(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
