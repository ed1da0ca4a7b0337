import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sirv from 'sirv';
import { LoreError } from '../memory/errors.ts';
import { hasCurrent } from './responses/entity-tag.ts';
import type { LoreMiddleware } from './exchange.ts';
import { bindResource, type App } from './resource.ts';

/** Vite adds a content hash to the file names in this folder. */
const HASHED = '/assets/';
const YEAR_SECONDS = 31_536_000;
const EVERYTHING_ELSE = '*';

/** Serves the web page at `/`, the API page at `/docs` and their files. They contain no data and need no key. Only files present at the start are served. */
export function bindWeb(app: App, webRoot: string | undefined): void {
  const page = webRoot !== undefined && existsSync(join(webRoot, 'index.html')) ? files(webRoot) : notBuilt;
  bindResource(app, '/', { GET: page }, { open: true });
  bindResource(app, '/docs', { GET: page }, { open: true });
  if (page !== notBuilt) app.get(EVERYTHING_ELSE, page);
}

const notBuilt: LoreMiddleware = () => {
  throw new LoreError('unavailable', 'The web page is not built; the API answers under /api.');
};

/** Thrown if the client already has the file: sirv has no other way to stop before sending. */
class NotModified extends Error {}

function files(webRoot: string): LoreMiddleware {
  const serve = sirv(webRoot, {
    dev: false,
    dotfiles: false,
    // Files that the build compressed.
    brotli: true,
    gzip: true,
    setHeaders: (res, path, { size, mtime }) => {
      const etag = `W/"${size}-${mtime.getTime()}"`;
      res.setHeader('cache-control', path.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      res.setHeader('etag', etag);
      // sirv replaces the CORS headers.
      res.setHeader('vary', 'Accept-Encoding, Origin');
      if (hasCurrent(res.req, etag)) throw new NotModified();
    },
  });
  return (req, res, next) => {
    req.route ??= EVERYTHING_ELSE;
    // Invalid ranges throw inside sirv, and these files are small.
    delete req.headers.range;
    // sirv pipes the file without an error listener: a file removed meanwhile would end the process.
    res.once('pipe', (source) => source.once('error', () => res.destroy()));
    try {
      serve(req, res, next);
    } catch (error) {
      if (!(error instanceof NotModified)) throw error;
      res.writeHead(304).end();
    }
  };
}
