import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEM_CODES } from '../../src/http/responses/problem.ts';
import { SECURITY_HEADERS } from '../../src/http/middleware/security-headers.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { parseRaw } from '../http/raw-socket.ts';
import { replay, seedOf, share } from './budget.ts';

/** Of all cases those that are bytes on a connection. */
const SHARE = 0.1;
const FILE = 'test/fuzz/bytes.drill.ts';

let server: TestServer;
const rejections: unknown[] = [];
const noteRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', noteRejection);
  server = await startTestServer({ server: { bodyLimitBytes: 64 * 1024 } });
});
afterAll(async () => {
  process.off('unhandledRejection', noteRejection);
  await server.close();
});

/** Sends bytes, says that there are no more, and gives what came back until the server closed the connection. */
function exchange(bytes: Buffer): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  // A reset after the answer is how a refused client may find the connection; what counts is what was received.
  socket.on('error', () => undefined);
  socket.end(bytes);
  return new Promise((resolve) => socket.once('close', () => resolve(Buffer.concat(received).toString('utf8'))));
}

const BODY = '{"content":"planted","tags":["a"]}';
const GOOD = [
  `POST /api/save HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`,
  `POST /api/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nf\r\n{"query":"plan"}\r\n0\r\n\r\n`,
  'GET /api/list?limit=2&tags=a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nx-api-key: abc\r\nConnection: close\r\n\r\n',
  'DELETE /api/00000000-0000-7000-8000-000000000000 HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n',
  'OPTIONS /api/save HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n',
  'HEAD /api/export HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
] as const;
const PIECES = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '\r\n\r\n',
  'Host: evil.example\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\xff\xfe',
  'HTTP/0.9',
  'HTTP/2.0',
  'http://evil.example',
  '*',
  '%00',
  '..',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Content-Type: text/plain\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'x: '.padEnd(20_000, 'y'),
  '-1',
  'ffffffffffffffff',
  '\x16\x03\x01\x02\x00\x01',
] as const;

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  how: fc.constantFrom('insert', 'insert', 'flip', 'leave out', 'cut', 'repeat'),
  piece: fc.constantFrom(...PIECES),
  bit: fc.integer({ min: 0, max: 7 }),
  length: fc.integer({ min: 1, max: 20 }),
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changed(bytes: Buffer, { at, how, piece, bit, length }: Change): Buffer {
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (how) {
    case 'insert':
      return Buffer.concat([before, Buffer.from(piece, 'latin1'), after]);
    case 'flip':
      return Buffer.from(bytes.map((byte, nth) => (nth === place ? byte ^ (1 << bit) : byte)));
    case 'leave out':
      return Buffer.concat([before, after.subarray(length)]);
    case 'cut':
      return before;
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after]);
  }
}

const broken = fc
  .tuple(fc.constantFrom(...GOOD), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) => changes.reduce(changed, Buffer.from(text, 'latin1')));

/** What is wrong with the first answer; none at all is right where the bytes were no whole request. */
function faultOf(text: string): string | undefined {
  const first = text.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '');
  if (first === '') return undefined;
  const { status, headers, body } = parseRaw(first);
  if (!(status >= 200 && status < 500) && status !== 503) return `the status is ${status}`;
  if (headers['x-content-type-options'] !== SECURITY_HEADERS['x-content-type-options']) return 'it has no security headers';
  if (status < 400 || body === '') return undefined;
  // Bytes after an error may be the answer to what stood behind it on the connection.
  const length = Number(headers['content-length']);
  const problem = JSON.parse(Buffer.from(body).subarray(0, length).toString('utf8')) as Record<string, unknown>;
  if (problem['success'] !== false || !PROBLEM_CODES.some((code) => code === problem['code'])) return 'it is not in the form of errors';
  return undefined;
}

describe('random bytes instead of a request', () => {
  it('get an error response or none, and the server continues', async () => {
    const property = fc.asyncProperty(broken, async (bytes) => {
      const text = await exchange(bytes);
      const fault = faultOf(text);
      if (fault !== undefined)
        throw new Error(`${fault}\n${JSON.stringify(bytes.toString('latin1'))}\n${text.slice(0, 600)}\n${replay(FILE)}`);
    });
    await fc.assert(property, { seed: seedOf('bytes'), numRuns: share(SHARE) });
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    expect(rejections).toEqual([]);
    expect(server.logged.filter(({ level }) => (level as number) >= 50)).toEqual([]);
  }, 600_000);
});
