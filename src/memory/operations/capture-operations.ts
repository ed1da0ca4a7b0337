/** Requests and results of capture from hooks of other programs, and of context for them. */
import { z } from 'zod';
import { CAPTURE_KINDS, MISSES, REFUSALS } from '../capture/capture-reasons.ts';
import { Namespace, Tag } from '../entry.ts';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import { SelectedIds } from './entry-conditions.ts';
import type { CallOptions } from './operations.ts';

/** Kinds of events, independent of the clients' own names. */
const CAPTURE_EVENTS = ['session-start', 'prompt', 'tool', 'response', 'session-end'] as const;
export type CaptureEventName = (typeof CAPTURE_EVENTS)[number];

/** Maximum text length of an event, UTF-16 units; hooks cut longer text. */
export const MAX_EVENT_CHARS = 65_536;
const MAX_FOLDER_CHARS = 4096;
const LATEST_INSTANT = 8_640_000_000_000_000;

const EventText = z
  .string()
  .max(MAX_EVENT_CHARS, `must be at most ${MAX_EVENT_CHARS} characters`)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)');
const Folder = EventText.min(1, 'must not be empty')
  .max(MAX_FOLDER_CHARS, `must be at most ${MAX_FOLDER_CHARS} characters`)
  .refine((path) => !path.includes('\0'), 'must not contain a NUL')
  .meta({ description: 'Working directory of the client; determines the namespace if none is given.' });
const Session = Namespace.meta({ description: 'Id of the session, given by the client.', examples: ['0b5f3f0e-7d0c-4f6e'] });
const Client = Tag.meta({ description: 'Name of the client.', examples: ['claude'] });

export const CaptureRequest = z
  .strictObject({
    client: Client,
    session: Session,
    event: z.enum(CAPTURE_EVENTS),
    namespace: Namespace.optional().meta({ description: 'Default: the one of `cwd`.' }),
    cwd: Folder.optional(),
    text: EventText.optional().meta({ description: 'The prompt of the user or the answer of the assistant.' }),
    tool: Tag.optional().meta({ description: 'For an event `tool`: the name of the tool.', examples: ['Bash'] }),
    input: EventText.optional().meta({ description: 'For an event `tool`: the command or the file.' }),
    output: EventText.optional().meta({ description: 'For an event `tool`: the output.' }),
    failed: z.boolean().optional().meta({ description: 'For an event `tool`: whether it failed. Default: inferred from the output.' }),
    oversized: z.boolean().optional().meta({ description: 'The event was larger than a hook reads: it is counted but not captured.' }),
    global: z.boolean().optional().meta({
      description:
        'Whether personal preferences may go to the namespace `global`. Default true; never with a key that is bound to a namespace.',
    }),
    assist: z.boolean().optional().meta({
      description:
        'For an event `response` that ends a turn: whether the client can ask the agent to save; `ask` in the response tells it to.',
    }),
    missed: z.enum(MISSES).optional().meta({ description: 'Why the client got no context for this event; it is only counted.' }),
    at: z.int().min(0).max(LATEST_INSTANT).optional().meta({ description: 'Time of the event, epoch milliseconds. Default now.' }),
  })
  .meta({ id: 'CaptureRequest' });
export type CaptureRequest = z.output<typeof CaptureRequest>;

/** An event in the spool file of this user. `transcript` names a file to read, so requests over HTTP cannot set it. */
export const SpooledEvent = CaptureRequest.extend({ transcript: Folder.optional() });
export type SpooledEvent = z.output<typeof SpooledEvent>;

export const CaptureStatsRequest = z
  .strictObject({ namespace: Namespace.optional().meta({ description: 'Only this namespace; default all.' }) })
  .meta({ id: 'CaptureStatsRequest' });
export type CaptureStatsRequest = z.output<typeof CaptureStatsRequest>;

export const CaptureSessionsRequest = CaptureStatsRequest.extend({
  limit: z.int().min(1).max(100).optional().meta({ description: 'Number of sessions. Default 20.' }),
}).meta({ id: 'CaptureSessionsRequest' });
export type CaptureSessionsRequest = z.output<typeof CaptureSessionsRequest>;

export const CaptureUndoRequest = z
  .strictObject({
    session: Session,
    namespace: Namespace.optional().meta({ description: 'Only entries in this namespace; default all.' }),
    permanent: z.boolean().optional().meta({ description: 'Delete for good instead of archiving. Default false.' }),
    dryRun: z.boolean().optional().meta({ description: 'Only report what would change. Default false.' }),
  })
  .meta({ id: 'CaptureUndoRequest' });
export type CaptureUndoRequest = z.output<typeof CaptureUndoRequest>;

export const REVIEW_VERDICTS = ['keep', 'drop', 'never'] as const;
export const CaptureReviewRequest = z
  .strictObject({
    ids: SelectedIds.meta({ description: 'Entries of a list with `pending`; deleted ones are ignored.' }),
    verdict: z.enum(REVIEW_VERDICTS).meta({
      description:
        '`keep`: removes it from the inbox. `drop`: archives it. `never`: archives it, and does not capture this text or nearly the same text again in the namespace.',
    }),
  })
  .meta({ id: 'CaptureReviewRequest' });
export type CaptureReviewRequest = z.output<typeof CaptureReviewRequest>;

export const ContextRequest = z
  .strictObject({
    prompt: EventText.optional().meta({ description: 'The next prompt or task. Without one: context for the start of a session.' }),
    namespace: Namespace.optional().meta({ description: 'Default: the one of `cwd`.' }),
    cwd: Folder.optional(),
    client: Client.optional(),
    session: Session.optional().meta({ description: 'Id of the session. If given, nothing is repeated within it.' }),
    maxTokens: z
      .int()
      .min(50)
      .max(8000)
      .optional()
      .meta({ description: 'Largest context, in tokens of four characters. Default 120 before a prompt, 600 without one.' }),
    minScore: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Leave out entries that are less relevant to the prompt. Default: Lore decides by the kind of prompt.' }),
    includeGlobal: z.boolean().optional().meta({ description: 'Add the entries of the global namespace. Default true.' }),
    withinMs: z
      .int()
      .min(1)
      .max(30_000)
      .optional()
      .meta({ description: 'Time for the embedding model; after it only the words of the prompt decide. Default: no limit.' }),
    countUse: z.boolean().optional().meta({
      description: 'Whether the entries count as used, which affects importance and statistics. False for a preview. Default true.',
    }),
  })
  .meta({ id: 'ContextRequest' });
export type ContextRequest = z.output<typeof ContextRequest>;

const count = z.int().min(0);

export const CaptureReceipt = z.object({
  accepted: z.boolean().meta({ description: 'Whether the event was accepted for processing. It may still lead to no entry.' }),
  reason: z.string().exactOptional().meta({ description: 'The reason if it was not accepted.' }),
  /** At most once per session. */
  ask: z.literal(true).exactOptional().meta({ description: 'Ask the agent to save the decisions and fixes of the turn.' }),
});
export type CaptureReceipt = Result<typeof CaptureReceipt>;

export const AssistCounts = z.object({ asked: count, saved: count, tokens: count });
export type AssistCounts = Result<typeof AssistCounts>;

export const CaptureStats = z.object({
  enabled: z.boolean(),
  waitingBytes: count.meta({ description: 'Size of the events not processed yet.' }),
  kept: count,
  refused: count,
  byKind: z.record(z.enum(CAPTURE_KINDS), count),
  byReason: z.record(z.enum(REFUSALS), count),
  contexts: z
    .object({ given: count, missed: z.record(z.enum(MISSES), count) })
    .meta({ description: 'Contexts given to clients, and contexts that did not reach the client.' }),
  assist: AssistCounts.exactOptional().meta({
    description: 'Turns after which the agent was asked to save, entries saved then, and the approximate cost in tokens.',
  }),
  perDay: z
    .array(z.object({ day: z.string(), kept: count, refused: count, byReason: z.partialRecord(z.enum(REFUSALS), count) }))
    .meta({ description: 'The last 30 days of the server, oldest first.' }),
  since: Time.exactOptional().meta({ description: 'Time of the first event counted.' }),
});
export type CaptureStats = Result<typeof CaptureStats>;

export const CaptureSession = z
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
export type CaptureSession = Result<typeof CaptureSession>;

const run = z.string().exactOptional().meta({ description: 'Name of the run, for `restore`.' });

export const CaptureUndoReport = z.object({
  session: z.string(),
  dryRun: z.boolean(),
  permanent: z.boolean(),
  entries: count.meta({ description: 'Number of entries archived or deleted, or that would be.' }),
  run,
});
export type CaptureUndoReport = Result<typeof CaptureUndoReport>;

export const CaptureReviewReport = z.object({
  verdict: z.enum(REVIEW_VERDICTS),
  entries: count.meta({ description: 'Number of entries decided on.' }),
  run,
});
export type CaptureReviewReport = Result<typeof CaptureReviewReport>;

/** One memory of a context. */
export const ContextItem = z
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
export type ContextItem = Result<typeof ContextItem>;

export const ContextReport = z.object({
  namespace: z.string(),
  text: z.string().meta({ description: 'Text for a model, ready to use; empty if nothing is relevant.' }),
  tokens: count.meta({ description: 'Approximate number of tokens, at four characters each.' }),
  items: z.array(ContextItem),
});
export type ContextReport = Result<typeof ContextReport>;

/** All methods reject with LoreError. */
export interface CaptureOperations {
  /** Queues an event. It is processed in the background and may become entries. */
  accept(request: CaptureRequest, options?: CallOptions): Promise<CaptureReceipt>;
  /** Counts of kept and refused statements, across restarts. */
  stats(request: CaptureStatsRequest, options?: CallOptions): Promise<CaptureStats>;
  /** Latest first. */
  sessions(request: CaptureSessionsRequest, options?: CallOptions): Promise<readonly CaptureSession[]>;
  /** Removes what one session captured; 0 entries if it captured nothing. */
  undo(request: CaptureUndoRequest, options?: CallOptions): Promise<CaptureUndoReport>;
  /** Confirms captured entries or archives them. Rejects with `not_found` if none of them exists. */
  review(request: CaptureReviewRequest, options?: CallOptions): Promise<CaptureReviewReport>;
  /** Context for a prompt or session: relevant entries without repetition, newest decisions first. */
  context(request: ContextRequest, options?: CallOptions): Promise<ContextReport>;
}
