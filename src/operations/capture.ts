/** Events from the hooks of coding agents, and contexts for them. */
import { z } from 'zod';
import { CAPTURE_KINDS, MISSES, REFUSALS } from '../memory/capture/capture-reasons.ts';
import {
  CaptureRequest,
  CaptureReviewRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
  REVIEW_VERDICTS,
  type CaptureOperations,
} from '../memory/operations/capture-operations.ts';
import { ofNamespace, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);

const Session = z
  .object({
    session: z.string(),
    client: z.string(),
    namespace: z.string(),
    firstAt: Time,
    lastAt: Time,
    kept: count.meta({ description: 'Entries captured, including those deleted since.' }),
    refused: count,
  })
  .meta({ id: 'CaptureSession' });
const Stats = z.object({
  enabled: z.boolean(),
  waitingBytes: count.meta({ description: 'Size of the events not processed yet.' }),
  kept: count,
  refused: count,
  byKind: z.record(z.enum(CAPTURE_KINDS), count),
  byReason: z.record(z.enum(REFUSALS), count),
  contexts: z
    .object({ given: count, missed: z.record(z.enum(MISSES), count) })
    .meta({ description: 'Contexts given to clients, and contexts that did not reach the client.' }),
  assist: z
    .object({ asked: count, saved: count, tokens: count })
    .exactOptional()
    .meta({ description: 'Turns after which the agent was asked to save, entries saved then, and the approximate cost in tokens.' }),
  perDay: z
    .array(z.object({ day: z.string(), kept: count, refused: count, byReason: z.partialRecord(z.enum(REFUSALS), count) }))
    .meta({ description: 'The last 30 days of the server, oldest first.' }),
  since: Time.exactOptional().meta({ description: 'Time of the first event counted.' }),
});
const ContextItem = z
  .object({
    id: z.uuid(),
    namespace: z.string(),
    text: z.string().meta({ description: 'The entry as one line.' }),
    tags: z.array(z.string()),
    createdAt: Time,
    score: z.number().min(0).max(1).exactOptional().meta({ description: 'How well it answers the prompt; absent without a prompt.' }),
    place: z.string().exactOptional().meta({ description: 'For a passage of a file: path:line-line.' }),
    outdated: z.literal(true).exactOptional().meta({ description: 'A newer item of this context seems to say that this has changed.' }),
  })
  .meta({ id: 'ContextItem' });
const run = z.string().exactOptional().meta({ description: 'Name of the run, for `restore`.' });

export const capture = {
  accept: {
    route: 'POST /api/capture',
    id: 'capture',
    summary: 'Report an event of a hook',
    answer: 'Whether the event was accepted.',
    request: CaptureRequest,
    result: z.object({
      accepted: z.boolean().meta({ description: 'Whether the event was accepted for processing. It may still lead to no entry.' }),
      reason: z.string().exactOptional().meta({ description: 'The reason if it was not accepted.' }),
      ask: z.literal(true).exactOptional().meta({ description: 'Ask the agent to save the decisions and fixes of the turn.' }),
    }),
    view: 'none',
    access: 'write',
    // A bound key captures into its namespace, whatever folder the client works in.
    reaches: { namespace: true, bound: { global: false } },
    repeatable: true,
    audited: 'write',
    notes: ofNamespace,
  },
  stats: {
    route: 'GET /api/capture/stats',
    id: 'captureStats',
    summary: 'Count captured and refused events',
    answer: 'The counts.',
    request: CaptureStatsRequest,
    result: Stats,
    access: 'read',
    // The events of all namespaces are in one file.
    reaches: { namespace: true, shown: (stats) => ({ ...stats, waitingBytes: 0 }) },
  },
  sessions: {
    route: 'GET /api/capture/sessions',
    id: 'captureSessions',
    summary: 'List captured sessions',
    answer: 'Latest first.',
    request: CaptureSessionsRequest,
    result: z.array(Session).meta({ description: 'Latest first.' }),
    as: 'sessions',
    counts: 'sessions',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: ofNamespace,
  },
  undo: {
    route: 'POST /api/capture/undo',
    id: 'captureUndo',
    summary: 'Undo the capture of a session',
    answer: 'The entries archived or deleted, or that would be.',
    request: CaptureUndoRequest,
    result: z.object({
      session: z.string(),
      dryRun: z.boolean(),
      permanent: z.boolean(),
      entries: count.meta({ description: 'Number of entries archived or deleted, or that would be.' }),
      run,
    }),
    access: 'write',
    reaches: { namespace: true },
    repeatable: true,
    unlimited: true,
    audited: 'delete',
    notes: (request, report) => ({ ...ofNamespace(request), count: report?.entries }),
  },
  review: {
    route: 'POST /api/capture/review',
    id: 'captureReview',
    summary: 'Keep or drop captured entries',
    answer: 'The result.',
    request: CaptureReviewRequest,
    result: z.object({
      verdict: z.enum(REVIEW_VERDICTS),
      entries: count.meta({ description: 'Number of entries decided on.' }),
      run,
    }),
    access: 'write',
    reaches: { selected: true },
    repeatable: true,
    unlimited: true,
    audited: 'delete',
    notes: ({ ids }, report) => ({ ids, count: report?.entries }),
  },
  context: {
    route: 'POST /api/context',
    id: 'context',
    summary: 'Get context for a prompt',
    answer: 'Relevant entries without repetition, newest decisions first.',
    request: ContextRequest,
    result: z.object({
      namespace: z.string(),
      text: z.string().meta({ description: 'Text for a model, ready to use; empty if nothing is relevant.' }),
      tokens: count.meta({ description: 'Approximate number of tokens, at four characters each.' }),
      items: z.array(ContextItem),
    }),
    access: 'read',
    // Global entries belong to another namespace.
    reaches: { namespace: true, bound: { includeGlobal: false } },
    audited: 'read',
    notes: (request, report) => ({ ...ofNamespace(request), ids: report?.items.map(({ id }) => id) ?? [] }),
  },
} as const satisfies Definitions<CaptureOperations>;
