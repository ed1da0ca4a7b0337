import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../memory/errors.ts';

/** Values for error messages. */
export interface ServiceFacts {
  readonly provider: string;
  readonly model: string;
  /** Removed from every text that is reported. */
  readonly secret: string | undefined;
}

interface JsonPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Time limit of one attempt; all attempts together take at most about twice as long. */
  readonly timeoutMs: number;
  /** First delay before a retry, doubling each time. */
  readonly retryMs: number;
  readonly facts: ServiceFacts;
  readonly signal: AbortSignal;
}

const TRIES = 4;
const LONGEST_WAIT_MS = 20_000;
const SHOWN_CHARS = 300;

/** A temporary failure. */
class PassingFault extends Error {
  readonly error: LoreError;
  /** Delay requested by the server, milliseconds. */
  readonly waitMs: number | undefined;

  constructor(error: LoreError, waitMs?: number) {
    super(error.message);
    this.error = error;
    this.waitMs = waitMs;
  }
}

/**
 * Posts JSON and returns the parsed response. Retries busy or failing servers and broken connections with growing delays or as
 * `Retry-After` says; rejects at once with LoreError otherwise.
 */
export async function postJson(post: JsonPost): Promise<unknown> {
  const began = performance.now();
  for (let nth = 1; ; nth++) {
    try {
      return await tryOnce(post);
    } catch (fault) {
      if (!(fault instanceof PassingFault)) throw fault;
      // Half of the delay is random, so that many clients do not retry together.
      const wait = fault.waitMs ?? post.retryMs * 2 ** (nth - 1) * (0.5 + Math.random() / 2);
      const late = performance.now() - began + wait > post.timeoutMs * 2;
      if (nth === TRIES || wait > LONGEST_WAIT_MS || late) throw fault.error;
      await sleep(wait, undefined, { signal: post.signal });
    }
  }
}

async function tryOnce({ url, headers, body, timeoutMs, facts, signal }: JsonPost): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = timeout.aborted ? `did not answer within ${Math.ceil(timeoutMs / 1000)} s` : 'cannot be reached';
    throw new PassingFault(new LoreError('network', `${facts.provider} ${reason}.`, { cause: error, hint: 'Check the network.' }));
  }
  if (!response.ok) throw refusal(response, text, facts);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LoreError('network', `${facts.provider} sent a response that is not JSON.`, { cause: error });
  }
}

function refusal(response: Response, text: string, { provider, model, secret }: ServiceFacts): Error {
  const { status } = response;
  const shown = secret ? text.replaceAll(secret, '[key]') : text;
  const cause = new Error(`HTTP ${status}: ${shown.slice(0, SHOWN_CHARS)}`);
  if (status === 401 || status === 403) {
    // Without the response, which may repeat part of the key.
    return new LoreError('config', `The key for ${provider} was refused (${status}).`, {
      hint: 'Set a valid key in SERVICE_EMBEDDINGS_API_KEY.',
    });
  }
  if (status === 404) {
    return new LoreError('config', `${provider} has no model ${model} at this address.`, {
      cause,
      hint: 'Check embeddings.model and embeddings.baseUrl.',
    });
  }
  if (status === 429 || status >= 500 || status === 408) {
    const waitMs = retryAfterMs(response.headers.get('retry-after'));
    const what = status === 429 ? 'limits the request rate' : `reports an error (${status})`;
    const seconds = waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) };
    return new PassingFault(new LoreError('unavailable', `${provider} ${what}.`, { cause, ...seconds }), waitMs);
  }
  return new LoreError('invalid_input', `${provider} rejected the text or its settings (${status}).`, { cause });
}

/** Parses `Retry-After`: seconds or an HTTP date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
