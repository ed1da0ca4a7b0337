import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { ExportRequest, type ExportLine } from '../../memory/operations.ts';
import { memoriesOf, whileConnected } from '../exchange.ts';
import { readQuery } from '../query.ts';
import { bindResource, type App } from '../resource.ts';

export const ExportQuery = ExportRequest.extend({
  format: z.enum(['jsonl']).optional().meta({ description: 'JSON Lines is the only format.' }),
});

/** Lines are joined into writes of about this many characters. */
const WRITE_CHARS = 64 * 1024;

/** GET /api/export: every entry as one line of JSON, oldest first. Holds one batch in memory; a client that reads slowly slows the reading of the store. */
export function bindExport(app: App): void {
  bindResource(app, '/api/export', {
    GET: async (req, res) => {
      const { namespace, vectors } = readQuery(ExportQuery, req);
      const signal = whileConnected(res);
      const request = { ...(namespace !== undefined && { namespace }), ...(vectors !== undefined && { vectors }) };
      const lines = memoriesOf(req).export(request, { signal })[Symbol.asyncIterator]();
      // The first line before the headers: what is refused or broken from the start is still answered in the error form.
      const first = await lines.next();
      res.setHeader('content-type', 'application/x-ndjson; charset=utf-8');
      res.setHeader('content-disposition', `attachment; filename="lore-${new Date().toISOString().slice(0, 10)}.jsonl"`);
      res.setHeader('cache-control', 'no-store');
      if (req.method === 'HEAD') await lines.return?.();
      else await writeLines(res, first, lines, signal);
      res.end();
    },
  });
}

async function writeLines(
  res: ServerResponse,
  first: IteratorResult<ExportLine>,
  lines: AsyncIterator<ExportLine>,
  signal: AbortSignal,
): Promise<void> {
  let text = '';
  try {
    for (let next = first; !next.done && !signal.aborted; next = await lines.next()) {
      text += `${JSON.stringify(next.value)}\n`;
      if (text.length < WRITE_CHARS) continue;
      const isRoomLeft = res.write(text);
      text = '';
      if (!isRoomLeft) await once(res, 'drain', { signal });
    }
    res.write(text);
  } finally {
    await lines.return?.();
  }
}
