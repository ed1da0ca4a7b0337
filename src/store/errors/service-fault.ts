import { LoreError } from '../../memory/errors.ts';

/** Advice on when to retry after a failure of the service. */
const RETRY_SECONDS = 10;
/** Part of every message of the client about a failed request. */
const REQUEST = /request_id=([0-9a-f-]{36})/;
const STATUS = /\(request_id=[0-9a-f-]{36}\) (\d{3}) /;

interface ReportedFault {
  readonly text: string;
  /** Status of the response; 0 if there was none. */
  readonly status: number;
}

const FAULTS: readonly { readonly is: (said: ReportedFault) => boolean; readonly message: string; readonly hint: string }[] = [
  {
    is: ({ status }) => status === 401 || status === 403,
    message: 'LanceDB Cloud denies access to this key.',
    hint: 'Check LANCEDB_API_KEY, or apiKey in storage.options: the key must belong to this database.',
  },
  {
    is: ({ status }) => status === 404,
    message: 'There is no such database of LanceDB Cloud at this address.',
    hint: 'Check the name in storage.path, and region and hostOverride in storage.options.',
  },
  {
    is: ({ status }) => status === 429 || status >= 500,
    message: 'LanceDB Cloud is overloaded or has an internal error.',
    hint: 'Retries failed. Try later. Saved entries are kept in the write-ahead log on this machine.',
  },
  {
    is: ({ text, status }) => status === 0 && /operation timed out|deadline has elapsed|timed? ?out/i.test(text),
    message: 'LanceDB Cloud did not answer in time.',
    hint: 'Try again, or give it more time with storage.timeoutMs.',
  },
  {
    is: ({ status }) => status === 0,
    message: 'LanceDB Cloud cannot be reached.',
    hint: 'Check the network, and region and hostOverride in storage.options.',
  },
];

/**
 * Converts a failure of the LanceDB service; undefined for other failures. The cause keeps the request id of the service, but not its
 * message, which may repeat the request.
 */
export function cloudFault(action: string, cause: unknown): LoreError | undefined {
  const text = cause instanceof Error ? cause.message : String(cause);
  const request = REQUEST.exec(text)?.[1];
  if (request === undefined) return undefined;
  const status = Number(STATUS.exec(text)?.[1] ?? 0);
  const hidden = new Error(`request ${request} to LanceDB Cloud failed${status === 0 ? '' : ` with ${status}`}`);
  const fault = FAULTS.find(({ is }) => is({ text, status }));
  if (fault === undefined) return new LoreError('internal', `Could not ${action}.`, { cause: hidden });
  const { message, hint } = fault;
  return new LoreError('unavailable', `Could not ${action}. ${message}`, { cause: hidden, hint, retryAfterSeconds: RETRY_SECONDS });
}
