import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ExportLine } from '../../memory/operations/operations.ts';
import { ExportQuery } from '../../operations/transfer.ts';
import { memoriesOf, requireStillGranted, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { withQuery } from '../query.ts';
import type { RouteContext } from '../resource.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Lines are joined into writes of about this many characters. */
const WRITE_CHARS = 64 * 1024;

/**
 * GET /api/export: a header, then every entry as one line of JSON, oldest first. Holds one batch in memory: a slow client slows the reading of
 * the store, and one that stops reading is disconnected.
 */
export function exportHandler({ compressExports }: RouteContext): LoreMiddleware {
  return withQuery(ExportQuery, async (req, res, { namespace, vectors, all, gzip = compressExports }) => {
    const signal = whileConnected(res);
    const request = withoutUndefined({ namespace, vectors, all });
    const lines = memoriesOf(req).export(request, { signal })[Symbol.asyncIterator]();
    // Reads the first line before the headers are sent, so that an early failure still gets an error response.
    const first = await lines.next();
    res.setHeader('content-type', gzip ? 'application/gzip' : 'application/x-ndjson; charset=utf-8');
    const name = `lore-${new Date().toISOString().slice(0, 10)}.jsonl${gzip ? '.gz' : ''}`;
    res.setHeader('content-disposition', `attachment; filename="${name}"`);
    res.setHeader('cache-control', 'no-store');
    if (req.method === 'HEAD') {
      await lines.return?.();
      res.end();
      return;
    }
    const out = gzip ? compressed(res) : res;
    await writeLines(out, first, lines, { req, signal });
    out.end();
  });
}

/** A gzip stream to the client. */
function compressed(res: ServerResponse): Writable {
  const gzip = createGzip();
  gzip.pipe(res);
  // Also after an export that failed before its first byte: frees the native memory at once.
  res.once('close', () => gzip.destroy());
  return gzip;
}

async function writeLines(
  out: Writable,
  first: IteratorResult<ExportLine>,
  lines: AsyncIterator<ExportLine>,
  { req, signal }: { readonly req: LoreRequest; readonly signal: AbortSignal },
): Promise<void> {
  let text = '';
  try {
    for (let next = first; !next.done && !signal.aborted; next = await lines.next()) {
      text += `${JSON.stringify(next.value)}\n`;
      if (text.length < WRITE_CHARS) continue;
      requireStillGranted(req);
      const isWritable = out.write(text);
      text = '';
      if (!isWritable) await once(out, 'drain', { signal });
    }
    requireStillGranted(req);
    if (!signal.aborted) out.write(text);
  } finally {
    await lines.return?.();
  }
}
