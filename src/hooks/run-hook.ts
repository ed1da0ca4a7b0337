import { writeSync } from 'node:fs';
import { captureLocation } from '../config/capture-location.ts';
import { userDirectories } from '../config/directories.ts';
import { isServerAnnounced } from '../config/server-announcement.ts';
import { ASK_TO_SAVE } from '../memory/guidance.ts';
import type { CaptureRequest, SpooledEvent } from '../memory/operations/capture-operations.ts';
import { outputFor, mayAsk, takesContext } from './hook-output.ts';
import type { HookArguments } from './arguments.ts';
import { contextFrom, runningServer, send, spoolEvent, type RunningServer } from './delivery.ts';
import { eventNamed } from './event-names.ts';
import { storedContext } from './stored-context.ts';
import { eventOf, folderOf, transcriptIn } from './payload.ts';
import { hookSettings, type HookSettings } from './settings.ts';
import { readPayload } from './standard-input.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Time limit, as the client waits for its hooks. The process must end within 1.5 s of its start; 50 ms remain for its exit. */
const LIMIT_MS = 1450;
/** For an event without context: if the server has not accepted it by then, it goes to the queue file. */
const SEND_MS = 500;
/** On a busy machine the limit grows to this multiple of the process's start time. */
const STARTS = 3;
/** Clients kill a hook after 5 s. */
const BUSY_LIMIT_MS = 4500;
/** Time after the start that is always left to queue the event. */
const LEAST_MS = 150;
/** Share of the remaining time in which the client must write its JSON. */
const READ_SHARE = 0.5;
/** Reserved for queueing an event that the server did not accept. */
const RESERVE_MS = 25;
/** The same at the start of a session, which also reads the stored context. */
const KEPT_RESERVE_MS = 200;
/** If the server has not safely by then, the stored context is read while waiting. */
const SLOW_MS = 300;
/** Time left for the request after waiting for a server. */
const ASK_MS = 300;
/** Interval of checks for an announced server. */
const POLL_MS = 20;
/** If less time is left, no context is requested. */
const LEAST_CONTEXT_MS = 20;

/** Time limit of a hook in milliseconds since its process began to start, given how long the start took. */
export function timeLimitAfter(startMs: number): number {
  return Math.max(LIMIT_MS, Math.min(BUSY_LIMIT_MS, STARTS * startMs), startMs + LEAST_MS);
}

/** Milliseconds since the process started. Unlike `performance`, it needs no module. */
const now = (): number => process.uptime() * 1000;

/** Deadline of one hook, and what must be done when it expires. */
class Deadline {
  readonly #until: number;
  /** Called when the deadline expires. */
  atLast: (() => void) | undefined;

  /** `since`: when the client began to wait, on the clock of `now`. */
  constructor(since: number) {
    this.#until = since + timeLimitAfter(now() - since);
  }

  /** At least 1. */
  leftMs(): number {
    return Math.max(1, Math.floor(this.#until - now()));
  }
}

/**
 * Reads a hook's JSON from standard input, sends the event to the server that has the store open, or queues it for the next process that
 * opens the store, and prints what the client expects. The process always exits in time with 0 and reports no errors.
 */
export async function runHook(given: HookArguments): Promise<never> {
  process.on('uncaughtException', () => process.exit(0));
  process.on('unhandledRejection', () => process.exit(0));
  // The client waits since the process started.
  const deadline = new Deadline(0);
  const end = (): never => {
    deadline.atLast?.();
    process.exit(0);
  };
  setTimeout(end, deadline.leftMs());
  // If the client stops the hook early, the event is still queued and the exit code is 0.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  print(await outputOf(given, deadline));
  process.exit(0);
}

/** Runs a hook and returns its output, without printing it or exiting the process. Never rejects. */
export async function hookOutput(given: HookArguments): Promise<string> {
  return await outputOf(given, new Deadline(now()));
}

async function outputOf(given: HookArguments, deadline: Deadline): Promise<string> {
  try {
    return await handled(given, deadline);
  } catch {
    return outputFor({ client: given.client, event: eventNamed(given.event) ?? 'session-end', context: '' });
  }
}

async function handled({ event: name, client, configFile }: HookArguments, deadline: Deadline): Promise<string> {
  deadline.atLast = () => print(outputFor({ client, event: eventNamed(name) ?? 'session-end', context: '' }));
  const { payload, oversized } = await readPayload(process.stdin, AbortSignal.timeout(Math.ceil(deadline.leftMs() * READ_SHARE)));
  const cwd = folderOf(payload, process.cwd());
  const settings = await hookSettings({ cwd, env: process.env, configFile });
  const { namespace, redacts } = settings;
  const event = eventOf({ event: name, client, payload, cwd, namespace, redacts });
  if (event === undefined) return '';
  const transcript = settings.enabled ? transcriptIn({ event: name, payload }) : undefined;
  // The transcript is noted after the event itself, at the latest when the deadline expires.
  const noteTranscript = once(() => transcript !== undefined && queueEvent({ ...withoutTexts(event), transcript }, settings));
  const { atLast } = deadline;
  deadline.atLast = () => {
    noteTranscript();
    atLast?.();
  };
  const assist = settings.assist ? mayAsk({ event: name, client, payload }) : undefined;
  const told = { ...event, ...(oversized && { oversized }), ...withoutUndefined({ assist }) };
  const context = await delivered(told, settings, deadline);
  noteTranscript();
  return outputFor({ client, event: event.event, context });
}

/** Sends or queues the event and returns its context. */
async function delivered(event: CaptureRequest, settings: HookSettings, deadline: Deadline): Promise<string> {
  const holder = runningServer(settings.storagePath) ?? (await awaitServer(event, settings, deadline));
  return await (holder === undefined ? withoutServer(event, settings) : throughServer({ event, settings, holder, deadline }));
}

/** Waits for an announced server if a prompt needs context: the first prompt often comes before the client's MCP server has opened the store. */
async function awaitServer(event: CaptureRequest, settings: HookSettings, deadline: Deadline): Promise<RunningServer | undefined> {
  if (event.event !== 'prompt' || !awaitsContext(event)) return undefined;
  const { atLast } = deadline;
  deadline.atLast = () => {
    if (settings.enabled) queueEvent({ ...event, missed: 'no server' }, settings);
    atLast?.();
  };
  let holder: RunningServer | undefined;
  while (holder === undefined && deadline.leftMs() > ASK_MS && isServerAnnounced(settings.storagePath)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    holder = runningServer(settings.storagePath);
  }
  deadline.atLast = atLast;
  return holder ?? runningServer(settings.storagePath);
}

/** No server runs: queues the event for the next process that opens the store. */
async function withoutServer(event: CaptureRequest, settings: HookSettings): Promise<string> {
  const kept = await storedContextFor(event, settings);
  const missed = awaitsContext(event) && kept === '';
  if (isCaptured(event, settings) || (missed && settings.enabled)) queueEvent(missed ? { ...event, missed: 'no server' } : event, settings);
  return kept;
}

async function throughServer({ event, settings, holder, deadline }: ServerDelivery): Promise<string> {
  const isWanted = isCaptured(event, settings);
  let [isTaken, isAnswered] = [!isWanted, !awaitsContext(event)];
  const finish = (): void => {
    const missed = isAnswered || !settings.enabled ? {} : { missed: 'late' as const };
    if (!isTaken) queueEvent({ ...event, ...missed }, settings);
    else if (missed.missed !== undefined) queueEvent({ ...withoutTexts(event), ...missed }, settings);
  };
  const { atLast } = deadline;
  deadline.atLast = () => {
    finish();
    atLast?.();
  };
  const reserve = event.event === 'session-start' ? KEPT_RESERVE_MS : RESERVE_MS;
  const leftMs = deadline.leftMs() - reserve;
  const signal = AbortSignal.timeout(Math.max(1, isAnswered ? Math.min(leftMs, SEND_MS) : leftMs));
  const sending = isWanted ? send(holder, event, signal) : Promise.resolve({ isTaken: true, asks: false });
  const asking = contextOf(event, { holder, signal, leftMs: leftMs - reserve });
  let reading: Promise<string> | undefined;
  const kept = (): Promise<string> => (reading ??= storedContextFor(event, settings));
  const slow = setTimeout(() => void kept(), SLOW_MS);
  const sent = await sending;
  ({ isTaken } = sent);
  const answer = await asking;
  clearTimeout(slow);
  const context = answer ?? (await kept());
  isAnswered ||= answer !== undefined || context !== '';
  deadline.atLast = atLast;
  finish();
  return sent.asks ? ASK_TO_SAVE : context;
}

/** Calls `run` the first time only. */
function once(run: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

interface ServerDelivery {
  readonly event: CaptureRequest;
  readonly settings: HookSettings;
  readonly holder: RunningServer;
  readonly deadline: Deadline;
}

function queueEvent(event: SpooledEvent, { storagePath }: HookSettings): void {
  spoolEvent(
    captureLocation(storagePath, () => userDirectories().data),
    event,
  );
}

/** The stored context for the start of a session; empty if there is none, or at other events. */
async function storedContextFor(event: CaptureRequest, settings: HookSettings): Promise<string> {
  if (event.event !== 'session-start' || !takesContext(event)) return '';
  return (await storedContext({ ...settings, cwd: event.cwd ?? process.cwd() })) ?? '';
}

/** Whether the client accepts context at this event and the event has a text to search for, where it needs one. */
function awaitsContext(event: CaptureRequest): boolean {
  return takesContext(event) && (event.event !== 'prompt' || event.text !== undefined);
}

/** The event without its texts, which the server already has. */
function withoutTexts({
  text: _text,
  tool: _tool,
  input: _input,
  output: _output,
  failed: _failed,
  ...about
}: CaptureRequest): CaptureRequest {
  return about;
}

/** Whether the event has content to capture. */
function isCaptured({ text, output, input, oversized }: CaptureRequest, { enabled }: HookSettings): boolean {
  return enabled && (oversized === true || [text, output, input].some((part) => part !== undefined));
}

interface Asking {
  readonly holder: RunningServer;
  readonly signal: AbortSignal;
  readonly leftMs: number;
}

/** The context from the server; undefined if it did not come in time. */
async function contextOf(event: CaptureRequest, { holder, signal, leftMs }: Asking): Promise<string | undefined> {
  const { client, session, cwd, namespace, text } = event;
  if (!awaitsContext(event)) return '';
  if (leftMs < LEAST_CONTEXT_MS) return undefined;
  const about = { client, session, ...withoutUndefined({ cwd, namespace }) };
  // The server gets 60 % of the remaining time; the rest is for the connection.
  return await contextFrom(holder, { ...about, ...withoutUndefined({ prompt: text }), withinMs: Math.ceil(leftMs * 0.6) }, signal);
}

function print(text: string): void {
  if (text === '') return;
  try {
    writeSync(1, text);
  } catch {
    // The client has closed the pipe.
  }
}
