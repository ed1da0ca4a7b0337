import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LoreError } from '../../memory/errors.ts';
import { clientNetwork, isLoopback } from './client-address.ts';
import { isProbe, type LoreMiddleware } from '../exchange.ts';
import type { HttpSettings } from '../settings.ts';

/** Upper limit of the window: timers cannot run longer than some weeks. */
const MAX_WINDOW_SECONDS = 86_400;
/** Number of shared counters: one counter per client would let many clients use up memory. */
const BUCKETS = 65_536;

/**
 * Limits each client (429 with Retry-After): by address or, for IPv6, by the network of one client. The window is the time in which
 * `requestsPerMinute` allows `burstSize` requests: a client may send `burstSize` requests at once and keeps to its rate on average. Health
 * probes do not count: a supervisor would kill a server that refuses its probe.
 */
export function rateLimit(settings: Pick<HttpSettings, 'rateLimit'>): LoreMiddleware {
  const { enabled, requestsPerMinute, burstSize = requestsPerMinute } = settings.rateLimit;
  if (enabled === false) return (_req, _res, next) => void next();
  const duration = Math.min((60 * burstSize) / requestsPerMinute, MAX_WINDOW_SECONDS);
  const limiter = new RateLimiterMemory({ points: burstSize, duration });
  const bucketOf = buckets();
  return async (req, _res, next) => {
    const isCounted = !isProbe(req) && (enabled === true || !isLoopback(req.remote));
    if (isCounted) await limiter.consume(bucketOf(clientNetwork(req.remote))).catch(refuse);
    return next();
  };
}

/** Assigns each client one of `count` buckets, keyed by a secret of this process: nobody can choose whom they share a bucket with. */
export function buckets(count = BUCKETS): (client: string) => number {
  const secret = randomBytes(16);
  return (client) => createHmac('sha256', secret).update(client).digest().readUInt32BE() % count;
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const seconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
  throw new LoreError('rate_limited', `Too many requests; try again in ${seconds} s.`, { retryAfterSeconds: seconds });
}
