/** Capture and context in both response forms. */
import { z } from 'zod';
import { CAPTURE_KINDS, MISSES, REFUSALS } from '../../memory/capture/capture-reasons.ts';
import {
  REVIEW_VERDICTS,
  type CaptureReceipt,
  type CaptureReviewReport,
  type CaptureSession,
  type CaptureStats,
  type CaptureUndoReport,
  type ContextReport,
} from '../../memory/operations/capture-operations.ts';
import { Timestamp } from './shared-schemas.ts';

export const CAPTURE_ANSWERS = ['capture', 'captureStats', 'captureSessions', 'captureUndo', 'captureReview', 'context'] as const;

const count = z.int().min(0);
const CaptureSessionSchema = z
  .object({
    session: z.string(),
    client: z.string(),
    namespace: z.string(),
    firstAt: Timestamp,
    lastAt: Timestamp,
    kept: count.meta({ description: 'Entries that came of it, with those that are gone by now.' }),
    refused: count,
  })
  .meta({ id: 'CaptureSession' });

/** Of a form in which ids look like this. */
export function captureSchemas({ id, prefix }: { readonly id: z.ZodType<string>; readonly prefix: '' | 'Guide' }) {
  const item = z.object({
    id,
    namespace: z.string(),
    text: z.string().meta({ description: 'One line of the entry.' }),
    tags: z.array(z.string()),
    createdAt: Timestamp,
    score: z.number().min(0).max(1).optional().meta({ description: 'How well it answers the prompt; absent without a prompt.' }),
    place: z.string().optional().meta({ description: 'Of a passage of a file: path:line-line.' }),
    outdated: z.literal(true).optional().meta({ description: 'A newer item of this context seems to say that this has changed.' }),
  });
  return {
    capture: z.object({
      accepted: z.boolean().meta({ description: 'Whether it waits to be looked at; that is no promise that anything of it is kept.' }),
      reason: z.string().optional().meta({ description: 'Why not.' }),
      ask: z.literal(true).optional().meta({ description: 'The agent is to be asked to save what the turn decided or fixed.' }),
    }),
    captureStats: z.object({
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
        .optional()
        .meta({ description: 'Turns at whose end the agent was asked to save, what it saved then, and about how many tokens that cost.' }),
      perDay: z
        .array(z.object({ day: z.string(), kept: count, refused: count, byReason: z.partialRecord(z.enum(REFUSALS), count) }))
        .meta({ description: 'The last 30 days of the server, oldest first.' }),
      since: Timestamp.optional().meta({ description: 'Of the first event that was counted.' }),
    }),
    captureSessions: z.object({ count, sessions: z.array(CaptureSessionSchema).meta({ description: 'Latest first.' }) }),
    captureUndo: z.object({
      session: z.string(),
      dryRun: z.boolean(),
      permanent: z.boolean(),
      entries: count.meta({ description: 'That went, or would go.' }),
      run: z.string().optional().meta({ description: 'Name of the run, for `restore`.' }),
    }),
    captureReview: z.object({
      verdict: z.enum(REVIEW_VERDICTS),
      entries: count.meta({ description: 'That were decided on.' }),
      run: z.string().optional().meta({ description: 'Name of the run, for `restore`.' }),
    }),
    context: z.object({
      namespace: z.string(),
      text: z.string().meta({ description: 'To be put before a model as it is; empty where nothing is relevant.' }),
      tokens: count.meta({ description: 'About so many, of four characters each.' }),
      items: z.array(item.meta({ id: `${prefix}ContextItem` })),
    }),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** What a form makes of the results, by its way to write ids. */
export function captureForms({ id: idOf }: { readonly id: (id: string) => string }) {
  return {
    capture: (receipt: CaptureReceipt) => ({ ...receipt }),
    captureStats: ({ since, byKind, byReason, contexts, assist, perDay, ...stats }: CaptureStats) => ({
      ...stats,
      byKind: { ...byKind },
      byReason: { ...byReason },
      contexts: { given: contexts.given, missed: { ...contexts.missed } },
      ...(assist !== undefined && { assist: { ...assist } }),
      perDay: perDay.map((day) => ({ ...day, byReason: { ...day.byReason } })),
      ...(since !== undefined && { since: iso(since) }),
    }),
    captureSessions: (sessions: readonly CaptureSession[]) => ({
      count: sessions.length,
      sessions: sessions.map((session) => ({ ...session, firstAt: iso(session.firstAt), lastAt: iso(session.lastAt) })),
    }),
    captureUndo: (report: CaptureUndoReport) => ({ ...report }),
    captureReview: (report: CaptureReviewReport) => ({ ...report }),
    context: ({ items, ...report }: ContextReport) => ({
      ...report,
      items: items.map(({ id, tags, createdAt, ...item }) => ({ ...item, id: idOf(id), tags: [...tags], createdAt: iso(createdAt) })),
    }),
  };
}
