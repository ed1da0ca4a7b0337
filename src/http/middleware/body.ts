/** Reads request bodies within limits. Refuses a body before it is in memory. */
import type { ServerResponse } from 'node:http';
import { parse } from '@polka/parse';
import { LoreError } from '../../memory/errors.ts';
import type { BodyMemory } from './body-memory.ts';
import type { LoreMiddleware, LoreRequest } from '../exchange.ts';
import { KEY_HEADER, sha256 } from '../idempotency-key.ts';

/**
 * Reads a body of any type and size; this file checks both. Latin1 keeps one character per byte, so invalid UTF-8 survives until it is checked; decoded as
 * `utf-8` it would turn into U+FFFD.
 */
const readText = parse<LoreRequest>({ type: '', encoding: 'latin1', limit: Number.POSITIVE_INFINITY });

/**
 * Middleware that reads a JSON object into `req.body`. Checks the media type exactly (a page of another site can send other types without a
 * preflight). Counts bytes of chunked bodies too, and those of all requests together in `memory`.
 */
export function jsonBody(limitBytes: number, memory: BodyMemory): LoreMiddleware {
  return async (req, res, next) => {
    requireMediaType(req, ['application/json']);
    const bytes = await readAll(req, res, { limitBytes, memory });
    req.body = parseObject(bytes);
    if (req.headers[KEY_HEADER] !== undefined) req.bodyDigest = sha256(bytes);
    return next();
  };
}

/** Whether the request has a body. A content type alone does not say so: many clients send it with every request. */
export function hasBody({ headers }: LoreRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Throws `unsupported_media_type` unless the body is of one of `types`, in UTF-8 and not compressed. */
export function requireMediaType(req: LoreRequest, types: readonly string[]): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((parameter) => parameter === '' || /^charset="?utf-?8"?$/.test(parameter));
  if (!types.includes(type) || !isUtf8)
    throw new LoreError('unsupported_media_type', `The content type must be ${types.join(' or ')}, in UTF-8.`);
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw new LoreError('unsupported_media_type', 'Compressed request bodies are not accepted.');
}

/** The body in chunks. Keeps the connection open if the reader stops early, so that a response can still be sent. */
export function bodyChunks(req: LoreRequest, res: ServerResponse): AsyncIterable<Uint8Array> {
  askForBody(req, res);
  return req.iterator({ destroyOnReturn: false });
}

function askForBody(req: LoreRequest, res: ServerResponse): void {
  if (req.awaitsContinue) res.writeContinue();
  req.awaitsContinue = false;
}

interface Limits {
  readonly limitBytes: number;
  readonly memory: BodyMemory;
}

async function readAll(req: LoreRequest, res: ServerResponse, { limitBytes, memory }: Limits): Promise<Buffer> {
  const tooLarge = (): LoreError => new LoreError('too_large', `The request body must be at most ${limitBytes} bytes.`);
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  // After a disconnect the request emits no more events.
  if (req.destroyed) throw new Error('The client disconnected.');
  const hold = memory.open(res);
  let size = 0;
  askForBody(req, res);
  await new Promise<void>((resolve, reject) => {
    const count = (chunk: string): void => {
      size += chunk.length;
      try {
        if (size > limitBytes) throw tooLarge();
        hold(chunk.length);
      } catch (error) {
        // The library would read the rest and call again; only its first call counts.
        req.removeAllListeners('data');
        reject(error);
      }
    };
    req.on('data', count);
    void readText(req, res, (error) => (error === undefined ? resolve() : reject(error)));
  });
  const read: unknown = req.body;
  return Buffer.from(typeof read === 'string' ? read : '', 'latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) throw new LoreError('invalid_input', 'The request body is empty; send a JSON object.');
  const value = parseJson(decodeText(bytes));
  if (!isObject(value)) throw new LoreError('invalid_input', 'The request body must be a JSON object.');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new LoreError('invalid_input', 'The request body is not valid UTF-8.', { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LoreError('invalid_input', 'The request body is not valid JSON.', { cause });
  }
}
