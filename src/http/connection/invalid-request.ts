/** Responses to bytes that are no valid HTTP request: Node hands over the bare socket. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SECURITY_HEADERS } from '../middleware/security-headers.ts';
import { toProblem } from '../responses/problem.ts';
import { LoreError } from '../../memory/errors.ts';

const NOT_HTTP = { status: 400, message: 'This is not a valid HTTP request.' };
const FAULTS: ReadonlyMap<string | undefined, typeof NOT_HTTP> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, message: 'The request took too long to arrive.' }],
  ['HPE_HEADER_OVERFLOW', { status: 431, message: 'The headers of the request are too large.' }],
]);

/** Writes the error format as plain HTTP and cuts the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, headers: Readonly<Record<string, string>>): void {
  const { status, message } = FAULTS.get(error.code) ?? NOT_HTTP;
  const body = JSON.stringify(toProblem(new LoreError('invalid_input', message)).body);
  const lines = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...SECURITY_HEADERS,
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`, () => socket.destroy());
}
