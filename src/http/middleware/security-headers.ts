import type { LoreMiddleware } from '../exchange.ts';

const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
].join('; ');

/** Headers of every response, pages and data alike: no sniffing, no framing, no inline script, nothing from another host. */
export const SECURITY_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  // Applies to requests without CORS, such as images and scripts of other pages. Requests with CORS are checked against the list of origins.
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Without this header a browser resolves the hosts of links in stored texts before anyone follows them.
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
} as const;

const HEADERS = Object.entries(SECURITY_HEADERS);

export const securityHeaders: LoreMiddleware = (_req, res, next) => {
  for (const [name, value] of HEADERS) res.setHeader(name, value);
  void next();
};
