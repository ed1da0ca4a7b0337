import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spoolFile, type CaptureLocation } from '../config/capture-location.ts';
import type { CaptureRequest, ContextRequest, SpooledEvent } from '../memory/operations/capture-operations.ts';

/** Limit of the queue file: without it, the queue of a store that is never opened would fill the disk. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024;

/** The server that has the store open. */
export interface RunningServer {
  readonly url: URL;
  readonly token: string;
}

/** The live process that has the store open and serves HTTP; undefined if there is none. Never throws. */
export function runningServer(storagePath: string): RunningServer | undefined {
  try {
    const { pid, token, url } = JSON.parse(readFileSync(join(storagePath, 'lore.lock'), 'utf8')) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof token !== 'string' || typeof url !== 'string') return undefined;
    process.kill(pid, 0);
    const address = new URL(url);
    return address.protocol === 'http:' ? { url: address, token } : undefined;
  } catch {
    return undefined;
  }
}

interface Sent {
  readonly isTaken: boolean;
  /** The server wants the agent to be asked to save. */
  readonly asks: boolean;
}

/** Sends an event; returns whether the server accepted it. Never rejects. */
export async function send(holder: RunningServer, event: CaptureRequest, signal: AbortSignal): Promise<Sent> {
  const answer = await post(holder, 'capture', event, signal);
  const isTaken = isRecord(answer) && answer['success'] === true;
  return { isTaken, asks: isTaken && answer['ask'] === true };
}

/** The context for a model; empty if nothing is relevant, undefined without a response in time. Never rejects. */
export async function contextFrom(holder: RunningServer, wanted: ContextRequest, signal: AbortSignal): Promise<string | undefined> {
  const answer = await post(holder, 'context', wanted, signal);
  return isRecord(answer) && typeof answer['text'] === 'string' ? answer['text'] : undefined;
}

/**
 * Appends the event to the queue file for the next process that opens the store. False if that fails or the queue is full. Never throws.
 */
export function spoolEvent(place: CaptureLocation, event: SpooledEvent): boolean {
  const file = spoolFile(place);
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_WAITING_BYTES) return false;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // One append, so that writes of several processes do not mix. The leading newline ends a line that another process left incomplete.
    appendFileSync(file, `\n${JSON.stringify(event)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Posts JSON and returns the JSON of a response with status 200; undefined for any other outcome. It speaks HTTP/1.0, where the end of the
 * connection ends the response: loading Node's HTTP client takes longer than the request, and `net` is already loaded by standard input.
 */
async function post({ url, token }: RunningServer, route: string, body: object, signal: AbortSignal): Promise<unknown> {
  const { connect } = process.getBuiltinModule('node:net');
  const text = Buffer.from(JSON.stringify(body));
  const { pathname } = new URL(`api/${route}`, url);
  const head = [`POST ${pathname}?form=reference HTTP/1.0`, `host: ${url.host}`, `x-api-key: ${token}`, 'content-type: application/json'];
  return await new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const call = connect({ host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port || 80), signal });
    call.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) call.destroy();
      else chunks.push(chunk);
    });
    call.on('error', () => {});
    call.on('close', () => resolve(bodyOf(Buffer.concat(chunks).toString('utf8'))));
    call.write(`${head.join('\r\n')}\r\ncontent-length: ${text.length}\r\n\r\n`);
    call.write(text);
  });
}

/** The JSON body of a response with status 200. Undefined for other statuses and for a truncated body. */
function bodyOf(answer: string): unknown {
  const end = answer.indexOf('\r\n\r\n');
  return end !== -1 && /^HTTP\/1\.[01] 200 /.test(answer) ? parsed(answer.slice(end + 4)) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
