/** Requests and results of capture from hooks of other programs, and of context for them. */
import { z } from 'zod';
import { MISSES, type CaptureKind, type Miss, type Refusal } from '../capture/capture-reasons.ts';
import { Namespace, Tag } from '../entry.ts';
import { SelectedIds } from './entry-conditions.ts';
import type { CallOptions } from './operations.ts';

/** Kinds of events, independent of the clients' own names. */
export const CAPTURE_EVENTS = ['session-start', 'prompt', 'tool', 'response', 'session-end'] as const;
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

export interface CaptureReceipt {
  /** Whether the event was accepted for processing; it may still lead to no entry. */
  readonly accepted: boolean;
  /** Why it was not accepted, in plain words. */
  readonly reason?: string;
  /** Ask the agent to save what the turn decided or fixed; at most once per session. */
  readonly ask?: true;
}

export interface AssistCounts {
  readonly asked: number;
  readonly saved: number;
  readonly tokens: number;
}

export interface CaptureStats {
  readonly enabled: boolean;
  /** Bytes of unprocessed events. */
  readonly waitingBytes: number;
  readonly kept: number;
  readonly refused: number;
  readonly byKind: Readonly<Record<CaptureKind, number>>;
  readonly byReason: Readonly<Record<Refusal, number>>;
  /** Contexts returned to clients, and contexts that did not reach the client. */
  readonly contexts: { readonly given: number; readonly missed: Readonly<Record<Miss, number>> };
  /** How often an agent was asked to save, what it saved afterwards, and the approximate token cost; absent before the first time. */
  readonly assist?: AssistCounts;
  /** The last 30 days in server time, oldest first, without gaps; days before counting began are 0. */
  readonly perDay: readonly {
    readonly day: string;
    readonly kept: number;
    readonly refused: number;
    readonly byReason: Readonly<Partial<Record<Refusal, number>>>;
  }[];
  /** Time of the first counted event, epoch milliseconds; absent before it. */
  readonly since?: number;
}

export interface CaptureSession {
  readonly session: string;
  readonly client: string;
  readonly namespace: string;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly kept: number;
  readonly refused: number;
}

export interface CaptureUndoReport {
  readonly session: string;
  readonly dryRun: boolean;
  readonly permanent: boolean;
  /** Entries removed, or to be removed in a dry run. */
  readonly entries: number;
  /** Name of the run, for `restore`; absent if the entries were deleted for good or nothing was done. */
  readonly run?: string;
}

export interface CaptureReviewReport {
  readonly verdict: CaptureReviewRequest['verdict'];
  /** Number of reviewed entries. */
  readonly entries: number;
  /** Name of the run, for `restore`; absent if the entries were kept. */
  readonly run?: string;
}

/** One memory of a context. */
export interface ContextItem {
  readonly id: string;
  readonly namespace: string;
  /** One line: the matching passage, the summary or the beginning of the entry. */
  readonly text: string;
  readonly tags: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Relevance to the prompt, 0..1; absent without a prompt. */
  readonly score?: number;
  /** Location of a file passage: `path:line-line`. */
  readonly place?: string;
  /** A newer item of this context seems to replace it. */
  readonly outdated?: true;
}

export interface ContextReport {
  readonly namespace: string;
  /** The context as text to insert as it is; empty if nothing is relevant. */
  readonly text: string;
  /** Approximate size in tokens of four characters. */
  readonly tokens: number;
  readonly items: readonly ContextItem[];
}

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
