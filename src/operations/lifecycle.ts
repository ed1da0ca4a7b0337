/** Forgetting, the archive, and the history of entries. */
import { z } from 'zod';
import { givenShape } from '../memory/entry-fields.ts';
import { PRIORITIES, SOURCES } from '../memory/entry.ts';
import { ARCHIVE_REASONS, type EntryState } from '../memory/lifecycle.ts';
import {
  ArchiveRequest,
  CompactReport,
  CompactRequest,
  ForgetRequest,
  RestoreReport,
  RestoreRequest,
  UndoRequest,
  type LifecycleOperations,
} from '../memory/operations/lifecycle-operations.ts';
import { EntryResult } from './entry.ts';
import { NoRequest, namespaceAudit, type Definitions } from './operation.ts';
import { RelationsOfEntry } from './relations.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const Run = z.string().meta({ description: 'Name of the run, for `restore`.' });

const ArchivedEntry = z
  .object({
    entry: EntryResult,
    archivedAt: Time,
    reason: z.enum(ARCHIVE_REASONS),
    run: Run,
    survivor: z.uuid().exactOptional(),
    similarity: ratio.exactOptional().meta({ description: 'For a near duplicate: similarity to the entry that stays.' }),
    relations: RelationsOfEntry,
  })
  .meta({ id: 'ArchivedEntry' });

const EntryVersion = z
  .object({
    writtenAt: Time,
    replacedAt: Time,
    replacedBy: z.enum(SOURCES).meta({ description: 'The interface that wrote the next version.' }),
    state: z.object({
      content: z.string(),
      tags: z.array(z.string()),
      priority: z.enum(PRIORITIES),
      namespace: z.string(),
      container: z.string(),
      importance: ratio,
      ...givenShape,
    }) as z.ZodType as z.ZodType<EntryState, EntryState>,
  })
  .meta({ id: 'EntryVersion' });

export const lifecycle = {
  compact: {
    route: 'POST /api/compact',
    id: 'compact',
    summary: 'Archive old, duplicate and excess entries',
    answer: 'The entries archived, or that would be.',
    request: CompactRequest,
    result: CompactReport,
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    audited: 'delete',
    notes: (request, report) => ({
      ...namespaceAudit(request),
      ids: report?.items.map(({ id }) => id) ?? [],
      count: report && report.archived + report.purged,
    }),
  },
  forgetMany: {
    route: 'POST /api/forget',
    id: 'forgetMany',
    summary: 'Forget entries by ids or by filter',
    description:
      'Takes two requests: without `confirm` it counts the entries and returns a token; with that token it forgets them. Select entries by `ids` or by at least one condition.',
    answer: 'The number of matches, or of forgotten entries.',
    request: ForgetRequest,
    result: z.object({
      matches: count,
      preview: z.array(EntryResult).meta({ description: 'The first ten, newest first.' }),
      done: z.boolean().meta({ description: 'Whether the entries were forgotten.' }),
      token: z
        .string()
        .exactOptional()
        .meta({ description: 'Send it back as `confirm`. Valid for ten minutes and only for these entries.' }),
      run: Run.exactOptional(),
    }),
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    problems: ['404'],
    audited: 'delete',
    notes: (request, report) => ({
      ...namespaceAudit(request),
      ids: [request.ids ?? [], report?.preview.map(({ id }) => id) ?? []].flat(),
      count: report?.matches,
      dryRun: report?.done === false,
    }),
  },
  archived: {
    route: 'GET /api/archive',
    id: 'archive',
    summary: 'List archived entries',
    answer: 'One page.',
    request: ArchiveRequest,
    result: z.object({
      total: count,
      offset: count,
      limit: count,
      entries: z.array(ArchivedEntry).meta({ description: 'Latest first.' }),
    }),
    counts: 'entries',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: (request, page) => ({
      ...namespaceAudit(request),
      ids: page?.entries.map(({ entry }) => entry.id) ?? [],
      count: page?.entries.length,
    }),
  },
  restore: {
    route: 'POST /api/restore',
    id: 'restore',
    summary: 'Restore entries from the archive',
    description: 'Takes exactly one of `ids`, `run` and `since`.',
    answer: 'The restored entries.',
    request: RestoreRequest,
    result: RestoreReport,
    counts: 'restored',
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    problems: ['404'],
    audited: 'write',
    notes: (request, report) => ({
      ...namespaceAudit(request),
      ids: [request.ids ?? [], report?.restored ?? []].flat(),
      count: report?.restored.length,
    }),
  },
  history: {
    route: 'GET /api/:id/history',
    id: 'history',
    summary: 'Get the history of an entry',
    answer: 'The entry, and its earlier versions.',
    request: NoRequest,
    result: z.object({
      entry: EntryResult,
      versions: z.array(EntryVersion).meta({ description: 'Earlier versions, latest first.' }),
    }),
    access: 'read',
    reaches: {
      shown: ({ entry, versions }, namespace) => ({ entry, versions: versions.filter(({ state }) => state.namespace === namespace) }),
    },
    problems: ['404'],
    audited: 'read',
    notes: (_request, history) => ({ count: history && 1 }),
  },
  undo: {
    route: 'POST /api/:id/undo',
    id: 'undo',
    summary: 'Undo the last change of an entry',
    description: 'An undo is a change too: a second undo undoes the first.',
    answer: 'The entry as it is now.',
    request: UndoRequest,
    result: EntryResult,
    as: 'entry',
    access: 'write',
    reaches: { hidden: true },
    repeatable: true,
    once: true,
    problems: ['404'],
    audited: 'write',
    notes: (_request, entry) => ({ count: entry && 1 }),
  },
} as const satisfies Definitions<LifecycleOperations>;
