/** What the hooks of coding agents tell, and what they are told. */
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
    kept: count.meta({ description: 'Entries that came of it, with those that are gone by now.' }),
    refused: count,
  })
  .meta({ id: 'CaptureSession' });
const Stats = z.object({
  enabled: z.boolean(),
  waitingBytes: count.meta({ description: 'Of events that were not looked at yet.' }),
  kept: count,
  refused: count,
  byKind: z.record(z.enum(CAPTURE_KINDS), count),
  byReason: z.record(z.enum(REFUSALS), count),
  contexts: z
    .object({ given: count, missed: z.record(z.enum(MISSES), count) })
    .meta({ description: 'Contexts that were handed out to clients, and those that did not reach one.' }),
  assist: z
    .object({ asked: count, saved: count, tokens: count })
    .exactOptional()
    .meta({ description: 'Turns at whose end the agent was asked to save, what it saved then, and about how many tokens that cost.' }),
  perDay: z
    .array(z.object({ day: z.string(), kept: count, refused: count, byReason: z.partialRecord(z.enum(REFUSALS), count) }))
    .meta({ description: 'The last 30 days of the server, oldest first.' }),
  since: Time.exactOptional().meta({ description: 'Of the first event that was counted.' }),
});
const ContextItem = z
  .object({
    id: z.uuid(),
    namespace: z.string(),
    text: z.string().meta({ description: 'One line of the entry.' }),
    tags: z.array(z.string()),
    createdAt: Time,
    score: z.number().min(0).max(1).exactOptional().meta({ description: 'How well it answers the prompt; absent without a prompt.' }),
    place: z.string().exactOptional().meta({ description: 'Of a passage of a file: path:line-line.' }),
    outdated: z.literal(true).exactOptional().meta({ description: 'A newer item of this context seems to say that this has changed.' }),
  })
  .meta({ id: 'ContextItem' });
const run = z.string().exactOptional().meta({ description: 'Name of the run, for `restore`.' });

export const capture = {
  accept: {
    route: 'POST /api/capture',
    id: 'capture',
    summary: 'An event of a hook',
    answer: 'Whether it waits to be looked at.',
    request: CaptureRequest,
    result: z.object({
      accepted: z.boolean().meta({ description: 'Whether it waits to be looked at; that is no promise that anything of it is kept.' }),
      reason: z.string().exactOptional().meta({ description: 'Why not.' }),
      ask: z.literal(true).exactOptional().meta({ description: 'The agent is to be asked to save what the turn decided or fixed.' }),
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
    summary: 'What was kept of hooks and what was refused',
    answer: 'The counts.',
    request: CaptureStatsRequest,
    result: Stats,
    access: 'read',
    // The events of all namespaces wait in one file.
    reaches: { namespace: true, shown: (stats) => ({ ...stats, waitingBytes: 0 }) },
  },
  sessions: {
    route: 'GET /api/capture/sessions',
    id: 'captureSessions',
    summary: 'Sessions that told of something',
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
    summary: 'Take back what a session captured',
    answer: 'What went, or would go.',
    request: CaptureUndoRequest,
    result: z.object({
      session: z.string(),
      dryRun: z.boolean(),
      permanent: z.boolean(),
      entries: count.meta({ description: 'That went, or would go.' }),
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
    summary: 'Keep or drop what was captured',
    answer: 'What was decided.',
    request: CaptureReviewRequest,
    result: z.object({
      verdict: z.enum(REVIEW_VERDICTS),
      entries: count.meta({ description: 'That were decided on.' }),
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
    summary: 'What is worth knowing before a prompt',
    answer: 'Relevant, each thing once, newest decisions first.',
    request: ContextRequest,
    result: z.object({
      namespace: z.string(),
      text: z.string().meta({ description: 'To be put before a model as it is; empty where nothing is relevant.' }),
      tokens: count.meta({ description: 'About so many, of four characters each.' }),
      items: z.array(ContextItem),
    }),
    access: 'read',
    // Entries of the global namespace are of another one.
    reaches: { namespace: true, bound: { includeGlobal: false } },
    audited: 'read',
    notes: (request, report) => ({ ...ofNamespace(request), ids: report?.items.map(({ id }) => id) ?? [] }),
  },
} as const satisfies Definitions<CaptureOperations>;
