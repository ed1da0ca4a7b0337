import type { ServerResponse } from 'node:http';
import type { StoredResponses, IdempotentRequest } from '../../memory/idempotency.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { sendJson } from './json-response.ts';
import { sourceOf, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { ResponseCipher, idempotencyKey, REPLAYED_HEADER, sha256 } from '../idempotency-key.ts';

/** A valid request and its handler. */
interface Asked<Result> {
  readonly run: (options: CallOptions) => Promise<Result>;
  /** The response body. The same result always gives the same body. */
  readonly tell: (result: Result) => object;
}

/**
 * The handler of a route that changes data. A repeated request with the same `Idempotency-Key` gets the stored response, and nothing is
 * done again.
 */
export function idempotentHandler<Result>(
  { answers }: { readonly answers: StoredResponses },
  read: (req: LoreRequest, res: ServerResponse) => Asked<Result>,
): LoreMiddleware {
  return async (req, res) => {
    const { run, tell } = read(req, res);
    const key = idempotencyKey(req);
    const options = { source: sourceOf(req) };
    if (key === undefined) {
      sendJson(req, res, 200, tell(await run(options)));
      return;
    }
    const caller = req.caller ?? '';
    const seal = new ResponseCipher(key, caller);
    let told: object | undefined;
    const request: IdempotentRequest = {
      id: sha256(`${caller}\n${key}`),
      fingerprint: fingerprintOf(req),
      responseTo: (result) => {
        told = tell(result as Result);
        return seal.close(JSON.stringify(told));
      },
    };
    const kept = await answers.once(request, () => run({ ...options, idempotent: request }));
    if (kept !== undefined) {
      req.noteReplay?.();
      res.setHeader(REPLAYED_HEADER, 'true');
    }
    sendJson(req, res, 200, kept === undefined ? told : JSON.parse(seal.open(kept)));
  };
}

/** The handler of a route that takes no `Idempotency-Key`. */
export function plainHandler<Result>(read: (req: LoreRequest) => Asked<Result>): LoreMiddleware {
  return async (req, res) => {
    const { run, tell } = read(req);
    sendJson(req, res, 200, tell(await run({ source: sourceOf(req) })));
  };
}

/** Digest of everything that identifies the request: method, path, query and body bytes. */
function fingerprintOf({ method, path, search, bodyDigest = '' }: LoreRequest): string {
  return sha256(JSON.stringify([method, path, search ?? '', bodyDigest]));
}
