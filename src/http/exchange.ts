/** A request and its response in the middleware: Polka's fields and those that Lore adds. */
import type { ServerResponse } from 'node:http';
import type { Middleware, Request } from 'polka';
import { LoreError } from '../memory/errors.ts';
import type { Grant } from '../memory/grant.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import type { Scope } from '../memory/request-scope.ts';
import { SOURCES, type Source } from '../memory/entry.ts';

export interface LoreRequest extends Request {
  /** Set by access-log.ts. */
  requestId: string;
  /** Scope of the work for this request. Set by access-log.ts. */
  scope?: Scope;
  /** The pattern of its route, if any. Set by resource.ts. */
  route?: string;
  /** The address of the client. Set by client-address.ts. */
  remote: string;
  /** What its key allows; never the key. Set by auth.ts, and only after the key was accepted. */
  grant?: Grant;
  /** Whether the key still has the access it had when the request arrived; for long-running responses. */
  isStillGranted?: () => boolean;
  /** The operations that this request may use. Set by auth.ts, and only after its key was accepted. */
  memories?: StoreOperations;
  /** Identifies the caller, because several may choose the same `Idempotency-Key`; never their API key. Set by auth.ts. */
  caller?: string;
  /** Records in the audit log that a stored response was sent again. Set by auth.ts. */
  noteReplay?: () => void;
  /** SHA-256 of the request body, if there is an `Idempotency-Key`. Set by body.ts. */
  bodyDigest?: string;
  /** The JSON object of the request. Set by body.ts, on routes that take a body. */
  body: Readonly<Record<string, unknown>>;
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue?: boolean;
}

const PROTECTED = /^\/(?:api|mcp|metrics|openapi\.json)(?:\/|$)/i;

/** Whether a path reads or changes data, judged without its route. The pages, /docs, /healthz and /readyz do not. */
export const isProtected = (path: string): boolean => PROTECTED.test(path);

const PROBES = /^\/(?:healthz|readyz)\/?$/i;

/** Whether the request is a cheap health probe. */
export const isProbe = ({ method, path }: LoreRequest): boolean => (method === 'GET' || method === 'HEAD') && PROBES.test(path);

export type LoreMiddleware = Middleware<LoreRequest>;

/** The operations that this request may use. Throws `unauthorized` if no key was accepted, so that no route is left open by mistake. */
export function memoriesOf(req: LoreRequest): StoreOperations {
  if (!req.memories) throw new LoreError('unauthorized', 'An API key is required: send it as x-api-key or Authorization: Bearer.');
  return req.memories;
}

/** Throws `unauthorized` if the key has lost access since the request arrived. For long-running requests. */
export function requireStillGranted(req: LoreRequest): void {
  if (req.isStillGranted?.() === false) throw new LoreError('unauthorized', 'The API key is no longer valid.');
}

/** The JSON object of the request; only after the `jsonBody` middleware. */
export function bodyOf(req: LoreRequest): Readonly<Record<string, unknown>> {
  return req.body;
}

/** Header in which Lore's own clients name their interface; anything else counts as `api`. */
const SOURCE_HEADER = 'x-lore-source';
const CLIENT_SOURCES: readonly Source[] = SOURCES.filter((source) => ['cli', 'mcp', 'web'].includes(source));

/** The interface of the request, recorded in its changes. */
export function sourceOf(req: LoreRequest): Source {
  return CLIENT_SOURCES.find((source) => source === req.headers[SOURCE_HEADER]) ?? 'api';
}

/** Aborts if the client disconnects before it is answered. Only for reads: an accepted write is finished. */
export function whileConnected(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
