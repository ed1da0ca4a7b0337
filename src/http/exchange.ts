/** One request on its way through the middleware: what Polka gives, and what Lore adds to it. */
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
  /** Whether its key still allows what it did when the request came; for answers that go on. */
  isStillGranted?: () => boolean;
  /** What the bearer of this request may do. Set by auth.ts, and only after its key was accepted. */
  memories?: StoreOperations;
  /** Identifies the caller, because several may choose the same `Idempotency-Key`; never their API key. Set by auth.ts. */
  caller?: string;
  /** Notes for those who want to know that an answer was given once more. Set by auth.ts. */
  noteReplay?: () => void;
  /** SHA-256 of the body that was sent, of requests with an `Idempotency-Key`. Set by body.ts. */
  bodyDigest?: string;
  /** The JSON object that was sent. Set by body.ts, on the routes that take one. */
  body: Readonly<Record<string, unknown>>;
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue?: boolean;
}

const PROTECTED = /^\/(?:api|mcp|metrics|openapi\.json)(?:\/|$)/i;

/** Whether a path shows data or changes it, as far as can be told without its route. The pages, /docs, /healthz and /readyz hold none. */
export const isProtected = (path: string): boolean => PROTECTED.test(path);

const PROBES = /^\/(?:healthz|readyz)\/?$/i;

/** Whether the request is a cheap health probe. */
export const isProbe = ({ method, path }: LoreRequest): boolean => (method === 'GET' || method === 'HEAD') && PROBES.test(path);

export type LoreMiddleware = Middleware<LoreRequest>;

/** The operations this request may use. Throws `unauthorized` where no key was accepted, so that a route cannot be opened by mistake. */
export function memoriesOf(req: LoreRequest): StoreOperations {
  if (!req.memories) throw new LoreError('unauthorized', 'An API key is required: send it as x-api-key or Authorization: Bearer.');
  return req.memories;
}

/** Whether a key has full access to everything. */
export function mayAdminister(grant: Grant | undefined): boolean {
  return grant?.access === 'full' && grant.namespace === undefined;
}

/** Throws `unauthorized` where the key of a request no longer allows what it did when it came: for what goes on for long. */
export function requireStillGranted(req: LoreRequest): void {
  if (req.isStillGranted?.() === false) throw new LoreError('unauthorized', 'The API key is no longer valid.');
}

/** The JSON object that was sent; only where `jsonBody` stands before the handler. */
export function bodyOf(req: LoreRequest): Readonly<Record<string, unknown>> {
  return req.body;
}

/** Header by which Lore's own clients say who is asking; anything else counts as `api`. */
const SOURCE_HEADER = 'x-lore-source';
const CLIENT_SOURCES: readonly Source[] = SOURCES.filter((source) => ['cli', 'mcp', 'web'].includes(source));

/** The interface of the request, recorded in its changes. */
export function sourceOf(req: LoreRequest): Source {
  return CLIENT_SOURCES.find((source) => source === req.headers[SOURCE_HEADER]) ?? 'api';
}

/** Aborts when the client goes away before it was answered. Only for reads: an accepted write is finished. */
export function whileConnected(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
