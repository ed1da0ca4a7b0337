import { writeSync } from 'node:fs';
import { capturePlace } from '../config/capture-place.ts';
import { userDirectories } from '../config/directories.ts';
import { isServerAnnounced } from '../config/serving-soon.ts';
import { ASK_TO_SAVE } from '../memory/guidance.ts';
import type { CaptureRequest, SpooledEvent } from '../memory/operations/capture-operations.ts';
import { answerFor, mayAsk, takesContext } from './answer.ts';
import type { HookArguments } from './arguments.ts';
import { contextFrom, holderOf, send, spool, type Holder } from './delivery.ts';
import { eventNamed } from './event-names.ts';
import { keptContext } from './kept-context.ts';
import { eventOf, folderOf, transcriptIn } from './payload.ts';
import { hookSettings, type HookSettings } from './settings.ts';
import { readPayload } from './standard-input.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** A client waits for its hooks: within 1.5 s of the start of the process all is over. What is left is for its end. */
const LIMIT_MS = 1450;
/** Without context for the client: an event that the server has not accepted by then is queued in the file. */
const SEND_MS = 500;
/** On a machine that is so busy, all takes longer: so many times as long as the start of the process took. */
const STARTS = 3;
/** Clients end a hook after 5 s. */
const BUSY_LIMIT_MS = 4500;
/** If the start alone takes that long, the event must still be queued. */
const LEAST_MS = 150;
/** Part of the time that a client may take to write its JSON. */
const READ_SHARE = 0.5;
/** Kept for writing what was not taken. */
const RESERVE_MS = 25;
/** The same at the start of a session, and for reading what was kept. */
const KEPT_RESERVE_MS = 200;
/** A server that has not answered by then may not answer at all: what was kept is read while it is waited for. */
const SLOW_MS = 300;
/** Left for the question when a server was waited for. */
const ASK_MS = 300;
/** How often is looked for a server that was announced. */
const LOOK_MS = 20;
/** Not worth asking for when less is left. */
const LEAST_CONTEXT_MS = 20;

/** When a hook is to be over whose process took so long to start, milliseconds since that began. */
export function limitAfter(startMs: number): number {
  return Math.max(LIMIT_MS, Math.min(BUSY_LIMIT_MS, STARTS * startMs), startMs + LEAST_MS);
}

/** Milliseconds since the process started. `performance` would have to be loaded. */
const now = (): number => process.uptime() * 1000;

/** The time of one hook, and what is left to do when it is up. */
class Deadline {
  readonly #until: number;
  /** Done at the last moment, unless it was taken back. */
  atLast: (() => void) | undefined;

  /** `since` is when the client began to wait, on the clock of `now`. */
  constructor(since: number) {
    this.#until = since + limitAfter(now() - since);
  }

  /** At least 1. */
  leftMs(): number {
    return Math.max(1, Math.floor(this.#until - now()));
  }
}

/**
 * Reads a hook's JSON from standard input, sends the event to the server that has the store open, or queues it for the next process that
 * opens it, and
 * prints what the client expects. Whatever goes wrong, the process ends with 0, in time, and says nothing about it.
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
  // A client that ends its hooks early loses nothing, and sees no failure.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  print(await answered(given, deadline));
  process.exit(0);
}

/** The same without the process: gives what is to be printed, and ends nothing. Never rejects. */
export async function answerOfHook(given: HookArguments): Promise<string> {
  return await answered(given, new Deadline(now()));
}

async function answered(given: HookArguments, deadline: Deadline): Promise<string> {
  try {
    return await handled(given, deadline);
  } catch {
    return answerFor({ client: given.client, event: eventNamed(given.event) ?? 'session-end', context: '' });
  }
}

async function handled({ event: name, client, configFile }: HookArguments, deadline: Deadline): Promise<string> {
  deadline.atLast = () => print(answerFor({ client, event: eventNamed(name) ?? 'session-end', context: '' }));
  const { payload, oversized } = await readPayload(process.stdin, AbortSignal.timeout(Math.ceil(deadline.leftMs() * READ_SHARE)));
  const cwd = folderOf(payload, process.cwd());
  const settings = await hookSettings({ cwd, env: process.env, configFile });
  const { namespace, redacts } = settings;
  const event = eventOf({ event: name, client, payload, cwd, namespace, redacts });
  if (event === undefined) return '';
  const transcript = settings.enabled ? transcriptIn({ event: name, payload }) : undefined;
  // Behind the event itself, by whichever way that goes; last of all where the time is up.
  const noteTranscript = once(() => transcript !== undefined && layDown({ ...withoutWords(event), transcript }, settings));
  const { atLast } = deadline;
  deadline.atLast = () => {
    noteTranscript();
    atLast?.();
  };
  const assist = settings.assist ? mayAsk({ event: name, client, payload }) : undefined;
  const told = { ...event, ...(oversized && { oversized }), ...withoutUndefined({ assist }) };
  const context = await delivered(told, settings, deadline);
  noteTranscript();
  return answerFor({ client, event: event.event, context });
}

/** Hands the event on, and gives the context for it. */
async function delivered(event: CaptureRequest, settings: HookSettings, deadline: Deadline): Promise<string> {
  const holder = holderOf(settings.storagePath) ?? (await comingHolder(event, settings, deadline));
  return await (holder === undefined ? alone(event, settings) : besideServer({ event, settings, holder, deadline }));
}

/** The server that is about to answer, where a prompt waits for its context: the first one often comes before the client's MCP server has the store open. */
async function comingHolder(event: CaptureRequest, settings: HookSettings, deadline: Deadline): Promise<Holder | undefined> {
  if (event.event !== 'prompt' || !awaitsContext(event)) return undefined;
  const { atLast } = deadline;
  deadline.atLast = () => {
    if (settings.enabled) layDown({ ...event, missed: 'no server' }, settings);
    atLast?.();
  };
  let holder: Holder | undefined;
  while (holder === undefined && deadline.leftMs() > ASK_MS && isServerAnnounced(settings.storagePath)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    holder = holderOf(settings.storagePath);
  }
  deadline.atLast = atLast;
  return holder ?? holderOf(settings.storagePath);
}

/** Nobody answers: the event waits for the next process with the store open. */
async function alone(event: CaptureRequest, settings: HookSettings): Promise<string> {
  const kept = await keptFor(event, settings);
  const missed = awaitsContext(event) && kept === '';
  if (isCaptured(event, settings) || (missed && settings.enabled)) layDown(missed ? { ...event, missed: 'no server' } : event, settings);
  return kept;
}

async function besideServer({ event, settings, holder, deadline }: Beside): Promise<string> {
  const isWanted = isCaptured(event, settings);
  let [isTaken, isAnswered] = [!isWanted, !awaitsContext(event)];
  const finish = (): void => {
    const missed = isAnswered || !settings.enabled ? {} : { missed: 'late' as const };
    if (!isTaken) layDown({ ...event, ...missed }, settings);
    else if (missed.missed !== undefined) layDown({ ...withoutWords(event), ...missed }, settings);
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
  const kept = (): Promise<string> => (reading ??= keptFor(event, settings));
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

/** Does it the first time only. */
function once(run: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

interface Beside {
  readonly event: CaptureRequest;
  readonly settings: HookSettings;
  readonly holder: Holder;
  readonly deadline: Deadline;
}

function layDown(event: SpooledEvent, { storagePath }: HookSettings): void {
  spool(
    capturePlace(storagePath, () => userDirectories().data),
    event,
  );
}

/** What was kept for the start of a session; empty where nothing was, or at other events. */
async function keptFor(event: CaptureRequest, settings: HookSettings): Promise<string> {
  if (event.event !== 'session-start' || !takesContext(event)) return '';
  return (await keptContext({ ...settings, cwd: event.cwd ?? process.cwd() })) ?? '';
}

/** Whether the client takes a context at this event, and there is something to ask for. */
function awaitsContext(event: CaptureRequest): boolean {
  return takesContext(event) && (event.event !== 'prompt' || event.text !== undefined);
}

/** The server has the words already. */
function withoutWords({
  text: _text,
  tool: _tool,
  input: _input,
  output: _output,
  failed: _failed,
  ...about
}: CaptureRequest): CaptureRequest {
  return about;
}

/** Whether there is anything in it to look at. */
function isCaptured({ text, output, input, oversized }: CaptureRequest, { enabled }: HookSettings): boolean {
  return enabled && (oversized === true || [text, output, input].some((part) => part !== undefined));
}

interface Asking {
  readonly holder: Holder;
  readonly signal: AbortSignal;
  readonly leftMs: number;
}

/** Undefined where none came in time. */
async function contextOf(event: CaptureRequest, { holder, signal, leftMs }: Asking): Promise<string | undefined> {
  const { client, session, cwd, namespace, text } = event;
  if (!awaitsContext(event)) return '';
  if (leftMs < LEAST_CONTEXT_MS) return undefined;
  const about = { client, session, ...withoutUndefined({ cwd, namespace }) };
  // What is left of the time is shared with the way there and back.
  return await contextFrom(holder, { ...about, ...withoutUndefined({ prompt: text }), withinMs: Math.ceil(leftMs * 0.6) }, signal);
}

function print(text: string): void {
  if (text === '') return;
  try {
    writeSync(1, text);
  } catch {
    // Nobody reads it.
  }
}
