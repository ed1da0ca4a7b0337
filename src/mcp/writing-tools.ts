import { z } from 'zod';
import { EntryId } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { PatchRequest, SaveRequest, type CallOptions, type SaveOutcome } from '../memory/operations/operations.ts';
import { RelateRequest } from '../memory/operations/relation-operations.ts';
import type { McpMemories } from './caller.ts';
import { compactEntry, excerpt, hundredths } from './compact-entries.ts';
import { SAVED_KINDS } from './entry-kinds.ts';
import { ADDS, REMOVES, tool } from './tool.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const { content, tags, namespace, global, priority } = SaveRequest.shape;
/** Entries in `near` whose text is shown. */
const SHOWN_NEAR = 3;

const REDACTED =
  'Lore removed the secrets from this text before it stored it. Do not save them again. If the user wants to keep one, the user saves it with `lore save` or ' +
  'on the page (not while memory.redactSecrets is always).';

export const saveTool = tool({
  name: 'memory_save',
  title: 'Save a memory',
  description:
    'Save one fact for later sessions: a decision and its reason, a preference of the user, how something is done in this project, a fix and its cause. ' +
    '`near` in the answer lists entries that say nearly the same, or with `differs` give another value for the same subject: if this one replaces one of them, call memory_relate with `supersedes`. Secrets are removed.',
  annotations: ADDS,
  input: z.strictObject({
    content: content.meta({ description: 'Whole sentences that make sense alone.' }),
    kind: z.enum(SAVED_KINDS).optional(),
    tags: tags.meta({ description: 'Short topics.' }),
    supersedes: EntryId.optional().meta({ description: 'Id of the entry that this one replaces.' }),
    global: global.meta({ description: 'For every project: facts about the user.' }),
    namespace: namespace.meta({ description: 'Default: this project.' }),
    priority,
  }),
  async run({ kind, supersedes, ...request }, { memories, namespace: here }, options) {
    const place = request.global === true ? {} : { namespace: request.namespace ?? (await here()) };
    const tagged = kind === undefined ? {} : { tags: [...new Set([kind, ...(request.tags ?? [])])] };
    const older = supersedes === undefined ? {} : { supersedes: [supersedes] };
    const { entry, outcomes } = await memories.save({ ...request, ...tagged, ...place, ...older, near: true }, options);
    const { status = 'stored', near = [], supersedes: [replaced] = [], redactions = [], warnings = [] } = outcomes[0] ?? {};
    const remarks = redactions.length > 0 ? [...warnings, REDACTED] : warnings;
    const similar = await shownNear(near, { memories, options });
    const result = {
      id: entry.id,
      status,
      namespace: entry.namespace,
      ...withoutUndefined({ supersedes: replaced }),
      ...(similar.length > 0 && { near: similar }),
      ...(redactions.length > 0 && { redacted: [...redactions] }),
      ...(remarks.length > 0 && { warnings: [...remarks] }),
    };
    return { result };
  },
});

interface Reach {
  readonly memories: McpMemories;
  readonly options: CallOptions;
}

/** Near duplicates. The first ones have their text, so that the model can judge whether the new entry replaces them. */
async function shownNear(near: NonNullable<SaveOutcome['near']>, { memories, options }: Reach): Promise<readonly object[]> {
  return await Promise.all(
    near.map(async ({ id, similarity, ...more }, nth) => {
      // An entry deleted meanwhile is listed without its text.
      const entry = nth < SHOWN_NEAR ? await memories.get(id, options).catch(() => undefined) : undefined;
      return { id, similarity: hundredths(similarity), ...more, ...(entry && { content: excerpt(entry) }) };
    }),
  );
}

const patch = PatchRequest.shape;

export const updateTool = tool({
  name: 'memory_update',
  title: 'Change a memory',
  description:
    'Correct an entry that was wrong or badly worded; its history is kept. If it was right until now, use memory_save with `supersedes` instead.',
  annotations: { ...ADDS, destructiveHint: true },
  input: z.strictObject({
    id: EntryId,
    content: patch.content,
    tags: patch.tags.meta({ description: 'Replaces all tags.' }),
    priority: patch.priority,
  }),
  async run({ id, ...changes }, { memories }, options) {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new LoreError('invalid_input', 'Give content, tags or priority to change');
    }
    return { result: { ...compactEntry(await memories.update(id, changes, options)) } };
  },
});

export const forgetTool = tool({
  name: 'memory_forget',
  title: 'Forget a memory',
  description: 'Archive one entry: it no longer appears in results, and the user can restore it.',
  annotations: REMOVES,
  input: z.strictObject({
    id: EntryId,
    permanent: z.boolean().optional().meta({ description: 'Delete for good: only if the user asks for that.' }),
  }),
  async run({ id, permanent = false }, { memories }, options) {
    if (permanent) await memories.forget(id, options);
    else await archive(id, { memories, options });
    return { result: { id, forgotten: true, ...(permanent ? { permanent } : { undo: `lore archive restore ${id}` }) } };
  },
});

/** Archives in two steps: preview, then confirmation. If confirming fails, the first attempt may have succeeded, so it checks once more. */
async function archive(id: string, { memories: { lifecycle }, options }: Reach): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { token } = await lifecycle.forgetMany({ ids: [id] }, options);
    if (token === undefined && isFirst) throw entryNotFound(id);
    if (token === undefined) return;
    try {
      await lifecycle.forgetMany({ ids: [id], confirm: token }, options);
      return;
    } catch (error) {
      if (!isFirst || !(error instanceof LoreError) || error.code !== 'invalid_input') throw error;
    }
  }
}

export const relateTool = tool({
  name: 'memory_relate',
  title: 'Relate two memories',
  description: 'Relate one entry to another: source, type, target. `supersedes` removes the target from later results.',
  annotations: ADDS,
  input: z.strictObject({ ...RelateRequest.shape }),
  unlisted: ['strength'],
  async run(request, { memories }, options) {
    const { sourceId, type, targetId, strength } = await memories.relations.relate(request, options);
    return { result: { sourceId, type, targetId, strength } };
  },
});
