/** One entry: saving, reading, changing and forgetting it. */
import { z } from 'zod';
import { PatchRequest, SaveRequest, UseRequest, type MemoryOperations } from '../memory/operations/operations.ts';
import { EntryResult } from './entry.ts';
import { NoRequest, ofNamespace, type Definitions } from './operation.ts';
import { RelationsOfEntry } from './relations.ts';
import { nearMarks } from './scored.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const texts = z.array(z.string()).readonly().exactOptional();

export const SaveOutcomeResult = z
  .object({
    id: z.string(),
    status: z.enum(['stored', 'duplicate']),
    vector: z.enum(['stored', 'pending']).meta({ description: '`pending`: found by keyword now, by meaning once a model answers.' }),
    passages: count,
    near: z
      .array(z.object({ id: z.string(), similarity: ratio, ...nearMarks }))
      .readonly()
      .exactOptional()
      .meta({
        description:
          'Only with `near`: entries of the namespace that say nearly the same, or with `differs` give another value for the same subject; most similar first. `similarity` compares the words, 0 to 1, and does not depend on the embedder.',
      }),
    supersedes: texts.meta({ description: 'Entries that this one replaced.' }),
    redactions: texts.meta({ description: 'Kinds of secrets that were redacted before the text was stored.' }),
    warnings: texts.meta({ description: 'Warnings, such as that the text seems to contain a secret.' }),
  })
  .meta({ id: 'SaveOutcome' });

export const entries = {
  save: {
    route: 'POST /api/save',
    id: 'save',
    summary: 'Save an entry',
    answer: 'Saved, or already stored.',
    request: SaveRequest,
    result: z.object({
      ids: z.array(z.uuid()),
      message: z.string(),
      outcomes: z.array(SaveOutcomeResult),
      entry: EntryResult,
    }),
    untold: ['entry'],
    counts: 'ids',
    access: 'write',
    reaches: { namespace: true, beyond: ({ global }) => global, entries: ({ supersedes }) => supersedes ?? [] },
    repeatable: true,
    once: true,
    audited: 'write',
    notes: (request, receipt) => ({
      ...ofNamespace(request),
      ids: [request.supersedes ?? [], receipt?.ids ?? []].flat(),
      count: receipt?.ids.length,
    }),
  },
  get: {
    route: 'GET /api/:id',
    id: 'getEntry',
    summary: 'Get an entry',
    description: 'Includes the first 100 of its relations.',
    answer: 'The entry.',
    request: NoRequest,
    result: EntryResult,
    as: 'entry',
    beside: { relations: RelationsOfEntry.optional() },
    access: 'read',
    reaches: {},
    problems: ['404'],
    audited: 'read',
    notes: (_request, entry) => ({ count: entry && 1 }),
  },
  update: {
    route: 'PATCH /api/:id',
    id: 'updateEntry',
    summary: 'Change an entry',
    description: 'Fields that are not given stay unchanged; `tags` replaces all tags.',
    answer: 'The entry as it is now.',
    request: PatchRequest,
    result: EntryResult,
    as: 'entry',
    access: 'write',
    reaches: { namespace: 'given' },
    repeatable: true,
    once: true,
    problems: ['404'],
    audited: 'write',
    notes: (request, entry) => ({ ...ofNamespace(request), count: entry && 1 }),
  },
  forget: {
    route: 'DELETE /api/:id',
    id: 'deleteEntry',
    summary: 'Delete an entry',
    description: 'For good, not into the archive.',
    answer: 'The entry was deleted.',
    request: NoRequest,
    result: z.void(),
    says: (_request, id) => `Deleted the entry ${id}.`,
    access: 'write',
    reaches: {},
    repeatable: true,
    once: true,
    problems: ['404'],
    audited: 'delete',
  },
  markUsed: {
    route: 'POST /api/:id/use',
    id: 'useEntry',
    summary: 'Count a use of an entry',
    description: 'For a program that searches with `countUse: false` and counts a use when a person opens or copies a result.',
    answer: 'The entry with its number of uses.',
    request: UseRequest,
    result: EntryResult,
    as: 'entry',
    access: 'read',
    reaches: {},
    safe: false,
    problems: ['404'],
    audited: 'read',
    notes: (_request, entry) => ({ count: entry && 1 }),
  },
} as const satisfies Definitions<Pick<MemoryOperations, 'save' | 'get' | 'update' | 'forget' | 'markUsed'>>;
