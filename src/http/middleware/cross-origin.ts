import cors from 'cors';
import type { LoreMiddleware } from '../exchange.ts';
import type { CorsSettings } from '../settings.ts';

const EXPOSED = ['x-request-id', 'retry-after', 'idempotent-replayed'] as const;

/** Sets CORS headers on every response, errors included. Preflights get theirs here and are answered by `preflights`. */
export function crossOrigin(settings: CorsSettings): LoreMiddleware {
  if (!settings.enabled) return (_req, _res, next) => void next();
  const methods = settings.methods.join(', ');
  const headers = settings.headers.join(', ');
  const answer = cors({
    origin: isOpen(settings) ? '*' : [...settings.origins],
    credentials: settings.credentials,
    methods,
    allowedHeaders: headers,
    exposedHeaders: EXPOSED.join(', '),
    preflightContinue: true,
  });
  return (req, res, next) => {
    // The package sets these two on preflights only; the specification wants them everywhere.
    res.setHeader('access-control-allow-methods', methods);
    res.setHeader('access-control-allow-headers', headers);
    answer(req, res, (error?: unknown) => void next(error instanceof Error ? error : undefined));
  };
}

/** Answers preflights with 204, after the Host header check and before the key check. */
export function preflights({ enabled }: CorsSettings): LoreMiddleware {
  return (req, res, next) => {
    if (enabled && req.method === 'OPTIONS') res.writeHead(204, { 'content-length': 0 }).end();
    else void next();
  };
}

/** CORS headers for a response to bytes that are no valid request: the origin is unknown, so only an open policy can be sent. */
export function openCorsHeaders(settings: CorsSettings): Readonly<Record<string, string>> {
  if (!settings.enabled || !isOpen(settings)) return {};
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': settings.methods.join(', '),
    'access-control-allow-headers': settings.headers.join(', '),
  };
}

function isOpen(settings: CorsSettings): boolean {
  return settings.origins.includes('*');
}
