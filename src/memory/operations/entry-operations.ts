/** Requests and results for single entries: saving, changing, using. */
import { z } from 'zod';
import { Container, Content, Namespace, PriorityInput, Tags, type Entry } from '../entry.ts';
import { givenShape } from '../entry-fields.ts';
import type { Result } from '../result.ts';
import { Ratio, SelectedIds } from './entry-conditions.ts';

const givenOrNull = Object.fromEntries(Object.entries<z.ZodType>(givenShape).map(([name, schema]) => [name, schema.nullable()])) as {
  readonly [Name in keyof typeof givenShape]: z.ZodNullable<(typeof givenShape)[Name]>;
};

export const SaveRequest = z
  .strictObject({
    content: Content,
    tags: Tags.optional(),
    namespace: Namespace.optional(),
    global: z.boolean().optional().meta({ description: 'Save into the global namespace.' }),
    container: Container.optional(),
    priority: PriorityInput.optional(),
    importance: Ratio.optional().meta({ description: 'Importance; default by priority, tags and source.' }),
    ...givenShape,
    near: z.boolean().optional().meta({
      description:
        'List in the receipt entries that say nearly the same, or give another value for the same subject. Costs a search. Default false.',
    }),
    supersedes: SelectedIds.optional().meta({
      description: 'Ids of entries that this one replaces. If one does not exist, nothing is saved.',
    }),
  })
  .meta({ id: 'SaveRequest' });
export type SaveRequest = z.output<typeof SaveRequest>;

export const PatchRequest = z
  .strictObject({
    content: Content.optional(),
    tags: Tags.optional().meta({ description: 'Replaces all tags.' }),
    priority: PriorityInput.optional(),
    importance: Ratio.optional().meta({ description: 'A value set here stays when tags or priority change later.' }),
    namespace: Namespace.optional(),
    container: Container.optional(),
    ...givenOrNull,
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change at least one field')
  .meta({ id: 'PatchRequest' });
export type PatchRequest = z.output<typeof PatchRequest>;

export const UseRequest = z.strictObject({}).meta({ id: 'UseRequest', description: 'Has no fields.' });

const texts = z.array(z.string()).readonly().exactOptional();

/** Fields of an entry near to a text. */
export const nearMarks = {
  differs: z
    .array(z.object({ here: z.string(), there: z.string() }))
    .readonly()
    .exactOptional()
    .meta({
      description:
        'The entry gives another value for the same subject: the value in the text and the value in the entry. One may be empty.',
    }),
  repeats: z.array(z.string()).readonly().exactOptional().meta({ description: 'Sentences of the text that the entry already contains.' }),
};

/** An entry similar to a saved text. Without `differs` and `repeats` it says nearly the same. */
const NearEntry = z.object({
  id: z.string(),
  /** Of single sentences, if only those are similar. */
  similarity: z.number().min(0).max(1),
  ...nearMarks,
});
export type NearEntry = Result<typeof NearEntry>;

export const SaveOutcome = z
  .object({
    id: z.string(),
    status: z.enum(['stored', 'duplicate']),
    vector: z.enum(['stored', 'pending']).meta({ description: '`pending`: found by keyword now, by meaning once a model answers.' }),
    passages: z.int().min(0),
    near: z.array(NearEntry).readonly().exactOptional().meta({
      description:
        'Only with `near`: entries of the namespace that say nearly the same, or with `differs` give another value for the same subject; most similar first. `similarity` compares the words, 0 to 1, and does not depend on the embedder.',
    }),
    supersedes: texts.meta({ description: 'Entries that this one replaced.' }),
    redactions: texts.meta({ description: 'Kinds of secrets that were redacted before the text was stored.' }),
    warnings: texts.meta({ description: 'Warnings, such as that the text seems to contain a secret.' }),
  })
  .meta({ id: 'SaveOutcome' });
export type SaveOutcome = Result<typeof SaveOutcome>;

export interface SaveReceipt {
  readonly ids: readonly string[];
  readonly message: string;
  readonly outcomes: readonly SaveOutcome[];
  /** The stored entry; for a duplicate with merged tags. */
  readonly entry: Entry;
}
