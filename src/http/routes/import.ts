import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import { importFault, type ImportLine, type ImportReport, type ImportRequest } from '../../memory/operations/operations.ts';
import { ImportQuery, transfer } from '../../operations/transfer.ts';
import { sendJson } from '../responses/json-response.ts';
import { bodyChunks, requireMediaType } from '../middleware/body.ts';
import { memoriesOf, requireStillGranted, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { toProblem } from '../responses/problem.ts';
import { withQuery } from '../query.ts';
import type { RouteContext } from '../resource.ts';

const {
  form: { of: told },
  streamed: { takes },
} = transfer.import;

/** Limit of report lines that the client has not read. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** POST /api/import: JSON Lines as `export` writes them, of any length. Importing the same lines twice stores them once. */
export function importHandler(context: RouteContext): LoreMiddleware {
  return withQuery(ImportQuery, async (req, res, { report, ...request }) => {
    requireMediaType(req, Object.keys(takes));
    allowLongUpload(req, res);
    const chunks = paced(req, res, context);
    if (report === 'full') await streamReport(req, res, chunks, { request, log: context.log });
    else {
      const answer = answerTo(await memoriesOf(req).import(chunks, request, { source: 'import' }));
      sendJson(req, res, answer.status, answer.body);
    }
  });
}

/** The report. If nothing could be stored, an error response that contains it. */
function answerTo(report: ImportReport): { readonly status: number; readonly body: object } {
  const fault = importFault(report);
  if (fault === undefined) return { status: 200, body: told(report) };
  const { status, body } = toProblem(new LoreError('invalid_input', fault));
  return { status, body: { ...body, ...told(report) } };
}

interface ReportOptions {
  readonly request: ImportRequest;
  readonly log: Log;
}

/** One line of JSON per processed input line, then the summary or the error that stopped the import. */
async function streamReport(
  req: LoreRequest,
  res: ServerResponse,
  chunks: AsyncIterable<Uint8Array>,
  { request, log }: ReportOptions,
): Promise<void> {
  const write = (line: unknown): void => {
    if (!res.headersSent) res.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' });
    res.write(`${JSON.stringify(line)}\n`);
  };
  const onLine = (line: ImportLine): void => write(line);
  try {
    const report = await memoriesOf(req).import(chunks, request, { source: 'import', onLine });
    const fault = importFault(report);
    write({ ...(fault !== undefined && toProblem(new LoreError('invalid_input', fault)).body), summary: told(report) });
  } catch (error) {
    if (!res.headersSent || res.destroyed) throw error;
    log.error({ err: error, requestId: req.requestId }, 'import stopped');
    write(toProblem(error).body);
  }
  res.end();
}

const longUploads = new WeakSet<object>();

/** Whether the request on this connection may take longer than `requestTimeoutMs`. */
export function isLongUpload(socket: object): boolean {
  return longUploads.has(socket);
}

function allowLongUpload({ socket }: LoreRequest, res: ServerResponse): void {
  longUploads.add(socket);
  res.once('close', () => longUploads.delete(socket));
}

/**
 * Stops reading input while the client leaves too much of its report unread, and cuts the connection if no input comes. Throws `unavailable` when
 * the server closes, because an upload can take longer than the shutdown waits, and `unauthorized` once the key no longer allows it.
 */
async function* paced(
  req: LoreRequest,
  res: ServerResponse,
  { closing, stallMs }: Pick<RouteContext, 'closing' | 'stallMs'>,
): AsyncGenerator<Uint8Array> {
  const signal = whileConnected(res);
  const chunks = bodyChunks(req, res)[Symbol.asyncIterator]();
  try {
    while (true) {
      if (closing.aborted) throw closedError();
      if (res.writableLength > MAX_UNREAD_BYTES) await unless(closing, once(res, 'drain', { signal }));
      const stall = setTimeout(() => req.destroy(), stallMs);
      const next = await unless(closing, chunks.next()).finally(() => clearTimeout(stall));
      if (next.done) return;
      requireStillGranted(req);
      yield next.value;
    }
  } finally {
    // When the server closes, a read may still be pending.
    if (!closing.aborted) await chunks.return?.();
  }
}

/** Rejects as soon as the server closes. */
async function unless<T>(closing: AbortSignal, work: Promise<T>): Promise<T> {
  let give: (() => void) | undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    give = () => reject(closedError());
    closing.addEventListener('abort', give);
  });
  try {
    return await Promise.race([work, closed]);
  } finally {
    if (give !== undefined) closing.removeEventListener('abort', give);
  }
}

function closedError(): LoreError {
  return new LoreError('unavailable', 'The server is shutting down and stored only the first lines.', {
    hint: 'Send the file again when the server is back: stored lines are not stored twice.',
  });
}
