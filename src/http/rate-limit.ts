import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LoreError } from '../memory/errors.ts';
import { clientAddress, isLoopback, networks } from './client-address.ts';
import type { LoreMiddleware } from './exchange.ts';
import type { HttpSettings } from './settings.ts';

/** Timers cannot run longer than some weeks. */
const MAX_WINDOW_SECONDS = 86_400;
/** A count of its own for every address would be memory for whoever has many: IPv6 gives them away by the billion. */
const BUCKETS = 65_536;

/**
 * Limits each client address (429 with Retry-After). The window is as long as `burstSize` requests take at `requestsPerMinute`: so a client may make
 * `burstSize` requests at once, and on average not more than its rate.
 */
export function rateLimit(settings: Pick<HttpSettings, 'rateLimit' | 'trustedProxies'>): LoreMiddleware {
  const { enabled, requestsPerMinute, burstSize = requestsPerMinute } = settings.rateLimit;
  if (enabled === false) return (_req, _res, next) => void next();
  const trusted = networks(settings.trustedProxies);
  const duration = Math.min((60 * burstSize) / requestsPerMinute, MAX_WINDOW_SECONDS);
  const limiter = new RateLimiterMemory({ points: burstSize, duration });
  const bucketOf = buckets();
  return async (req, _res, next) => {
    const address = clientAddress(req, trusted);
    if (enabled === true || !isLoopback(address)) await limiter.consume(bucketOf(address)).catch(refuse);
    return next();
  };
}

/**
 * Gives each address one of `count` numbers, by a secret of this process: who shares a count with whom is chance, and nobody can choose it.
 */
export function buckets(count = BUCKETS): (address: string) => number {
  const secret = randomBytes(16);
  return (address) => createHmac('sha256', secret).update(address).digest().readUInt32BE() % count;
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const seconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
  throw new LoreError('rate_limited', `Too many requests; try again in ${seconds} s.`, { retryAfterSeconds: seconds });
}
