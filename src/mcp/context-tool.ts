import { z } from 'zod';
import { ContextRequest } from '../memory/operations/capture-operations.ts';
import type { Caller } from './caller.ts';
import { READS, tool } from './tool.ts';

const { prompt, namespace, includeGlobal, maxTokens } = ContextRequest.shape;
/** More than a hook adds to each prompt: a model calls this tool once per task. */
const TASK_TOKENS = 300;

/** The request for the context, with the namespace of the caller as the default. */
export async function contextRequest(given: Omit<ContextRequest, 'minScore'>, caller: Caller): Promise<ContextRequest> {
  return {
    ...given,
    namespace: given.namespace ?? (await caller.namespace()),
    includeGlobal: given.includeGlobal ?? caller.includeGlobal,
  };
}

export const contextTool = tool({
  name: 'memory_context',
  title: 'Context for a task',
  description:
    'Get the memories that matter for a task, in few tokens: call it once at the beginning, with the request of the user. Without a task: context for the start of a session.',
  annotations: READS,
  input: z.strictObject({
    task: prompt.meta({ description: 'The request of the user, in whole sentences.' }),
    namespace: namespace.meta({ description: 'Default: this project.' }),
    includeGlobal,
    maxTokens: maxTokens.meta({ description: 'Default 300; 600 without a task.' }),
  }),
  unlisted: ['includeGlobal'],
  async run({ task, maxTokens: wanted = task === undefined ? undefined : TASK_TOKENS, ...request }, caller, options) {
    const { text, items, tokens } = await caller.memories.capture.context(
      await contextRequest({ ...request, prompt: task, maxTokens: wanted }, caller),
      options,
    );
    const result = { context: text, ids: items.map(({ id }) => id), tokens };
    return { result, text: text === '' ? 'Nothing is remembered about this.' : text };
  },
});
