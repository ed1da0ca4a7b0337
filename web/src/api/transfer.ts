/** Export and import as files, with progress. */
import type { ImportReport as Report } from '../../../src/memory/operations/operations.ts';
import { texts } from '../texts.ts';
import { keyring } from './keyring.ts';
import { ApiError, parsed, problemOf, send } from './request.ts';

const NDJSON = 'application/x-ndjson';

export type ImportReport = Report;

interface ExportInput {
  /** Empty for all. */
  readonly namespace: string;
  /** Includes relations, the archive and earlier versions. */
  readonly all: boolean;
}

interface Export {
  readonly name: string;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Starts an export that streams its lines. Rejects with ApiError if the server refuses. */
export async function openExport({ namespace, all }: ExportInput, signal: AbortSignal): Promise<Export> {
  const query = new URLSearchParams({ gzip: 'false', all: String(all) });
  if (namespace !== '') query.set('namespace', namespace);
  const response = await send(`/api/export?${query}`, {}, { signal, unlimited: true });
  if (!response.ok || response.body === null) throw problemOf(response.status, await response.text());
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? 'lore.jsonl', body: response.body };
}

interface ImportInput {
  readonly file: Blob;
  readonly dryRun: boolean;
  /** Namespace of lines without one; empty for the server's default. */
  readonly namespace: string;
  /** Progress of the upload, 0..1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a JSON Lines file directly from disk. Asks for a key like every request. Rejects with ApiError, or with the reason of the signal: lines
 * sent before an abort are stored.
 */
export async function importFile(input: ImportInput): Promise<ImportReport> {
  for (;;) {
    // The signal may have been aborted while the key dialog was open.
    input.signal.throwIfAborted();
    const used = keyring.key;
    const { status, text } = await upload(input, used);
    if (status === 401 && (await keyring.replace(used))) continue;
    // If nothing could be stored, the error contains the report, which has more information.
    if (status !== 200 && !('lines' in parsed(text))) throw problemOf(status, text);
    return JSON.parse(text) as ImportReport;
  }
}

/** XMLHttpRequest: fetch reports no upload progress. */
function upload(
  { file, dryRun, namespace, onProgress, signal }: ImportInput,
  key: string | undefined,
): Promise<{ status: number; text: string }> {
  const query = new URLSearchParams({ form: 'reference', dryRun: String(dryRun) });
  if (namespace !== '') query.set('namespace', namespace);
  return new Promise((resolve, reject: (error: Error) => void) => {
    const xhr = new XMLHttpRequest();
    const stop = (): void => xhr.abort();
    signal.addEventListener('abort', stop);
    xhr.open('POST', `/api/import?${query}`);
    xhr.setRequestHeader('content-type', NDJSON);
    xhr.setRequestHeader('x-lore-source', 'web');
    if (key !== undefined) xhr.setRequestHeader('x-api-key', key);
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    xhr.addEventListener('load', () => resolve({ status: xhr.status, text: xhr.responseText }));
    xhr.addEventListener('error', () => reject(new ApiError(0, texts.errors.network)));
    xhr.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
    xhr.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
    xhr.send(file);
  });
}
