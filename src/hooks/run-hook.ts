import { writeSync } from 'node:fs';
import { capturePlace } from '../config/capture-place.ts';
import { userDirectories } from '../config/directories.ts';
import type { CaptureRequest } from '../memory/operations/capture-operations.ts';
import { answerFor, takesContext } from './answer.ts';
import type { HookArguments } from './arguments.ts';
import { contextFrom, holderOf, send, spool, type Holder } from './delivery.ts';
import { eventNamed } from './event-names.ts';
import { eventOf, folderOf } from './payload.ts';
import { hookSettings, type HookSettings } from './settings.ts';
import { readPayload } from './standard-input.ts';

/** A client waits for its hooks: within 300 ms of the start of the process all is over. The rest is for its end. */
const LIMIT_MS = 270;
/** On a machine so busy that the start alone takes most of that, what happened is still to be laid down. */
const LEAST_MS = 150;
/** Part of the time that a client may take to write its JSON. */
const READ_SHARE = 0.5;
/** Kept for writing what was not taken. */
const RESERVE_MS = 25;
/** Not worth asking for when less is left. */
const LEAST_CONTEXT_MS = 20;

/** The time of one hook, and what is left to do when it is up. */
class Deadline {
  readonly #until = Math.max(LIMIT_MS, performance.now() + LEAST_MS);
  /** Done at the last moment, unless it was taken back. */
  atLast: (() => void) | undefined;

  constructor() {
    setTimeout(() => {
      this.atLast?.();
      process.exit(0);
    }, this.leftMs());
  }

  /** At least 1. */
  leftMs(): number {
    // Since the process started, which is when the client began to wait.
    return Math.max(1, Math.floor(this.#until - performance.now()));
  }
}

/**
 * Reads a hook's JSON from standard input, hands the event to the server that has the store open, or lays it down for the next process that opens it, and
 * prints what the client expects. Whatever goes wrong, the process ends with 0, in time, and says nothing about it.
 */
export async function runHook(given: HookArguments): Promise<never> {
  process.on('uncaughtException', () => process.exit(0));
  process.on('unhandledRejection', () => process.exit(0));
  try {
    print(await handled(given, new Deadline()));
  } catch {
    print(answerFor({ client: given.client, event: eventNamed(given.event) ?? 'session-end', context: '' }));
  }
  process.exit(0);
}

async function handled({ event: name, client, configFile }: HookArguments, deadline: Deadline): Promise<string> {
  deadline.atLast = () => print(answerFor({ client, event: eventNamed(name) ?? 'session-end', context: '' }));
  const { payload, oversized } = await readPayload(process.stdin, AbortSignal.timeout(Math.ceil(deadline.leftMs() * READ_SHARE)));
  const cwd = folderOf(payload, process.cwd());
  const settings = await hookSettings({ cwd, env: process.env, configFile });
  const { namespace, redacts } = settings;
  const event = eventOf({ event: name, client, payload, cwd, namespace, redacts });
  if (event === undefined) return '';
  const context = await delivered(oversized ? { ...event, oversized } : event, settings, deadline);
  return answerFor({ client, event: event.event, context });
}

/** Hands the event on, and gives the context for it. */
async function delivered(event: CaptureRequest, settings: HookSettings, deadline: Deadline): Promise<string> {
  const holder = holderOf(settings.storagePath);
  const isWanted = isCaptured(event, settings);
  const layDown = (): unknown =>
    isWanted &&
    spool(
      capturePlace(settings.storagePath, () => userDirectories().data),
      event,
    );
  if (holder === undefined) {
    layDown();
    return '';
  }
  const sayNothing = deadline.atLast;
  deadline.atLast = () => {
    layDown();
    sayNothing?.();
  };
  const signal = AbortSignal.timeout(Math.max(1, deadline.leftMs() - RESERVE_MS));
  const sending = isWanted ? send(holder, event, signal) : Promise.resolve(true);
  const asking = contextOf(event, { holder, signal, leftMs: deadline.leftMs() - 2 * RESERVE_MS });
  if (!(await sending)) layDown();
  deadline.atLast = sayNothing;
  return await asking;
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

async function contextOf(event: CaptureRequest, { holder, signal, leftMs }: Asking): Promise<string> {
  const { client, session, cwd, namespace, text } = event;
  if (!takesContext(event) || leftMs < LEAST_CONTEXT_MS || (event.event === 'prompt' && text === undefined)) return '';
  const about = { client, session, ...(cwd !== undefined && { cwd }), ...(namespace !== undefined && { namespace }) };
  // What is left of the time is shared with the way there and back.
  return await contextFrom(holder, { ...about, ...(text !== undefined && { prompt: text }), withinMs: Math.ceil(leftMs * 0.6) }, signal);
}

function print(text: string): void {
  if (text === '') return;
  try {
    writeSync(1, text);
  } catch {
    // Nobody reads it.
  }
}
