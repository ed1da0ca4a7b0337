import { createHash, timingSafeEqual } from 'node:crypto';
import { LoreError } from '../memory/errors.ts';
import { openGrant, type Grant, type KeyRing } from '../memory/grant.ts';
import type { MemoryOperations } from '../memory/operations.ts';
import { restrictTo } from '../service/restricted.ts';
import type { LoreMiddleware, LoreRequest } from './exchange.ts';

export interface AuthOptions {
  readonly memories: MemoryOperations;
  readonly keys: KeyRing;
  /** What a command on this machine that can read the store's lock file may show instead of a key. */
  readonly localToken?: string | undefined;
}

/** Everything that shows data or changes it. The pages, /docs and /healthz hold none. */
const PROTECTED = /^\/(?:api|mcp|metrics|openapi\.json)(?:\/|$)/i;

/** Checks the key of a request to a protected path, before its body is read, and narrows the operations to what the key may do. */
export function authentication(options: AuthOptions): LoreMiddleware {
  const localToken = options.localToken ? digest(options.localToken) : undefined;
  const isLocalToken = (key: string): boolean => localToken !== undefined && timingSafeEqual(digest(key), localToken);
  const grantFor = (key: string | undefined): Grant | undefined => {
    if (key !== undefined && isLocalToken(key)) return { name: 'local', access: 'full' };
    if (!options.keys.required) return openGrant;
    return key === undefined ? undefined : options.keys.grantFor(key);
  };
  return (req, _res, next) => {
    if (PROTECTED.test(req.path)) {
      const key = presentedKey(req);
      const grant = grantFor(key);
      if (!grant) throw unauthorized(key);
      if (grant !== openGrant) req.keyName = grant.name;
      if (grant.namespace !== undefined) req.boundTo = grant.namespace;
      req.mayAdminister = grant.access === 'full' && grant.namespace === undefined;
      req.memories = restrictTo(options.memories, grant);
    }
    void next();
  };
}

function unauthorized(key: string | undefined): LoreError {
  const reason = key === undefined ? 'An API key is required' : 'The API key is not valid';
  return new LoreError('unauthorized', `${reason}: send it as x-api-key or Authorization: Bearer.`);
}

/** A key is read from the two headers only: addresses end up in logs and histories. */
function presentedKey(req: LoreRequest): string | undefined {
  const header = req.headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header.trim();
  const [scheme, token, ...rest] = (req.headers.authorization ?? '').trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}

/** Digests are of equal length, which a comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
