import { z } from 'zod';
import { EntryId } from '../memory/entry.ts';
import { SaveRequest } from '../memory/operations/operations.ts';
import { RelateRequest } from '../memory/operations/relation-operations.ts';
import { RelationType } from '../memory/relation.ts';
import { ADDS, REMOVES, tool } from './tool.ts';

const { content, tags, namespace, global, priority } = SaveRequest.shape;

const REDACTED =
  'Lore removed the secrets from this text before it stored it. Do not save them again. If the user wants to keep one, the user saves it with `lore save` or ' +
  'on the page (not while memory.redactSecrets is always).';

export const saveTool = tool({
  name: 'memory_save',
  title: 'Save a memory',
  description:
    'Remember one fact for later sessions: a decision and its reason, a preference of the user, how something is done in this project, a fix and its cause. ' +
    'One fact per call, in words that make sense alone. The same text again is not stored twice. `near` in the answer names entries that say nearly the same: ' +
    'where this one replaces one of them, call memory_relate with `supersedes`. No secrets: they are redacted.',
  annotations: ADDS,
  input: z.strictObject({
    content: content.meta({ description: 'The text to remember, whole sentences.' }),
    tags: tags.meta({ description: 'Short topics, such as `decision`, `preference`, `fix`.' }),
    namespace: namespace.meta({ description: 'Default: this project.' }),
    global: global.meta({ description: 'For every project: facts about the user, not about this project.' }),
    priority: priority.meta({ description: 'How much it matters; default `normal`.' }),
  }),
  output: z.object({
    id: z.string(),
    status: z.enum(['stored', 'duplicate']),
    namespace: z.string(),
    near: z.array(z.object({ id: z.string(), similarity: z.number() })).optional(),
    redacted: z.array(z.string()).optional().meta({ description: 'Kinds of secrets that were removed from the text.' }),
    warnings: z.array(z.string()).optional(),
  }),
  async run(request, { memories, namespace: here }, options) {
    const place = request.global === true ? {} : { namespace: request.namespace ?? (await here()) };
    const { entry, outcomes } = await memories.save({ ...request, ...place, near: true }, options);
    const { status = 'stored', near = [], redactions = [], warnings = [] } = outcomes[0] ?? {};
    const remarks = redactions.length > 0 ? [...warnings, REDACTED] : warnings;
    const similar = near.map(({ id, similarity }) => ({ id, similarity: Math.round(similarity * 100) / 100 }));
    const result = {
      id: entry.id,
      status,
      namespace: entry.namespace,
      ...(similar.length > 0 && { near: similar }),
      ...(redactions.length > 0 && { redacted: [...redactions] }),
      ...(remarks.length > 0 && { warnings: [...remarks] }),
    };
    return { result };
  },
});

export const forgetTool = tool({
  name: 'memory_forget',
  title: 'Forget a memory',
  description:
    'Delete one entry for good, when the user asks for it or when it is wrong. An entry that was right and is outdated is better kept: save the new fact and ' +
    'relate it with `supersedes`.',
  annotations: REMOVES,
  input: z.strictObject({ id: EntryId }),
  output: z.object({ id: z.string(), forgotten: z.literal(true) }),
  async run({ id }, { memories }, options) {
    await memories.forget(id, options);
    return { result: { id, forgotten: true as const } };
  },
});

export const relateTool = tool({
  name: 'memory_relate',
  title: 'Relate two memories',
  description:
    'Say what one entry has to do with another; read it as: source, type, target. `supersedes` takes the target out of later results because the source is the ' +
    'newer fact. Also `contradicts`, `elaborates`, `references`, `similar`.',
  annotations: ADDS,
  input: z.strictObject({ ...RelateRequest.shape }),
  output: z.object({ sourceId: z.string(), type: RelationType, targetId: z.string(), strength: z.number() }),
  async run(request, { memories }, options) {
    const { sourceId, type, targetId, strength } = await memories.relations.relate(request, options);
    return { result: { sourceId, type, targetId, strength } };
  },
});
