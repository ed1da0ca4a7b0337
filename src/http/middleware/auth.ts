import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuditSink } from '../../memory/audit.ts';
import { LoreError } from '../../memory/errors.ts';
import { anonymousGrant, type Grant, type KeyRing } from '../../memory/grant.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { auditedBy } from '../../service/audit/audited.ts';
import { restrictTo } from '../../service/limits.ts';
import { isProtected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { RefusedRequests } from './refused-requests.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

interface AuthOptions {
  readonly memories: StoreOperations;
  readonly keys: KeyRing;
  /** Token that replaces a key for commands on this machine that can read the store's lock file. */
  readonly localToken?: string | undefined;
  /** Records every operation and every request without a valid key. */
  readonly audit?: AuditSink | undefined;
  /** Aborted once the server accepts no more requests. */
  readonly closing?: AbortSignal;
}

/** Checks the key of a request to a protected path before its body is read, and limits the operations to the access of the key. */
export function authentication(options: AuthOptions): LoreMiddleware {
  const localToken = options.localToken ? digest(options.localToken) : undefined;
  const isLocalToken = (key: string): boolean => localToken !== undefined && timingSafeEqual(digest(key), localToken);
  const grantFor = (key: string | undefined): Grant | undefined => {
    if (key !== undefined && isLocalToken(key)) return { name: 'local', access: 'full' };
    if (!options.keys.required) return anonymousGrant;
    return key === undefined ? undefined : options.keys.grantFor(key);
  };
  const { audit } = options;
  const audited = (memories: StoreOperations, req: LoreRequest, { name, access, namespace }: Grant): StoreOperations => {
    if (audit === undefined) return memories;
    const caller = { key: name, access, bound: namespace, remote: req.remote, requestId: req.requestId };
    return auditedBy(memories, caller, audit);
  };
  const refusals = audit && new RefusedRequests(audit);
  options.closing?.addEventListener('abort', () => refusals?.close());
  const noteReplay = (req: LoreRequest, { name, access, namespace }: Grant): void =>
    audit?.write({
      time: new Date().toISOString(),
      requestId: req.requestId,
      key: name,
      access,
      ...withoutUndefined({ bound: namespace }),
      remote: req.remote,
      action: 'read',
      operation: 'replay',
      result: 'ok',
    });
  return (req, _res, next) => {
    if (isProtected(req.path)) {
      const key = presentedKey(req);
      const grant = grantFor(key);
      if (!grant) {
        refusals?.note({ key: key === undefined ? 'none' : 'unknown', remote: req.remote, requestId: req.requestId });
        throw unauthorized(key);
      }
      req.grant = grant;
      options.keys.noteUse?.(grant);
      req.caller = callerOf(grant, key, isLocalToken);
      req.noteReplay = () => noteReplay(req, grant);
      req.isStillGranted = () => isSame(grantFor(key), grant);
      req.memories = audited(restrictTo(options.memories, grant), req, grant);
    }
    void next();
  };
}

/** Identifies the caller across server restarts: the token of the lock file changes with each start, and a key may be renamed. */
function callerOf(grant: Grant, key: string | undefined, isLocalToken: (key: string) => boolean): string {
  if (grant === anonymousGrant || key === undefined) return 'anyone';
  return isLocalToken(key) ? 'local' : `key ${digest(key).toString('hex')}`;
}

const isSame = (now: Grant | undefined, then: Grant): boolean =>
  now !== undefined && now.name === then.name && now.access === then.access && now.namespace === then.namespace;

function unauthorized(key: string | undefined): LoreError {
  const reason = key === undefined ? 'An API key is required' : 'The API key is not valid';
  return new LoreError('unauthorized', `${reason}: send it as x-api-key or Authorization: Bearer.`);
}

/** Keys are read from the two headers only: URLs end up in logs and histories. */
function presentedKey(req: LoreRequest): string | undefined {
  const header = req.headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header.trim();
  const [scheme, token, ...rest] = (req.headers.authorization ?? '').trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}

/** Compares digests, because a constant-time comparison needs equal lengths. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
