import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { head, parseRaw, rawExchange } from './raw-socket.ts';

const LIMIT = 4096;
const JSON_TYPE = 'Content-Type: application/json';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ server: { bodyLimitBytes: LIMIT } });
});
afterAll(() => server.close());

/** One request on a connection of its own. */
async function post(lines: readonly string[], ...body: readonly (string | Buffer)[]) {
  const answer = parseRaw(await rawExchange(server.port, [head('/api/save', [...lines, 'Connection: close']), ...body]));
  return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
}
const withLength = (body: string | Buffer, type = JSON_TYPE) => post([type, `Content-Length: ${Buffer.byteLength(body)}`], body);
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const saved = async (): Promise<number> => (await server.call('GET', '/api/list')).body.total;

describe('a JSON body', () => {
  it.each([
    'Content-Type: application/json',
    'content-type: Application/JSON',
    'Content-Type: application/json; charset=utf-8',
    'Content-Type: application/json;charset="UTF-8"',
    'Content-Type: application/json;',
  ])('is accepted with %s', async (type) => {
    expect(await withLength('{"content":"The kettle is blue"}', type)).toMatchObject({ status: 200 });
  });

  it.each([
    'X-None: 1',
    'Content-Type: text/plain',
    'Content-Type: text/plain; a=application/json',
    'Content-Type: application/jsonp',
    'Content-Type: application/json, text/plain',
    'Content-Type: application/json; charset=latin1',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Type: multipart/form-data; boundary=application/json',
    `${JSON_TYPE}\r\nContent-Encoding: gzip`,
    `${JSON_TYPE}\r\nContent-Encoding: identity, br`,
  ])('is refused with 415 with %s', async (type) => {
    const { status, json } = await withLength('{"content":"planted"}', type);
    expect([status, json['code'], json['success']]).toEqual([415, 'INVALID_REQUEST', false]);
  });

  it('may be chunked, with a byte order mark, and any UTF-8', async () => {
    const chunked = await post([JSON_TYPE, 'Transfer-Encoding: chunked'], chunk('{"content":'), chunk('"in two parts"}'), '0\r\n\r\n');
    expect(chunked.status).toBe(200);
    expect((await withLength('\ufeff{"content":"marked"}')).status).toBe(200);
    const { json } = await withLength('{"content":"日本語 🐟 \\u0000 é"}');
    const { body } = await server.call('GET', `/api/${(json['ids'] as string[])[0]}`);
    expect(body.entry.content).toBe('日本語 🐟 \u0000 é');
  });

  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['half an object', '{"content":'],
    ['two objects', '{"content":"a"} {"content":"b"}'],
    ['single quotes', "{'content':'a'}"],
    ['a trailing comma', '{"content":"a",}'],
    ['not a number', '{"content":NaN}'],
    ['a raw control character', '{"content":"a\u0000b"}'],
    ['an array', '[{"content":"a"}]'],
    ['a string', '"content"'],
    ['a number', '3'],
    ['null', 'null'],
    ['a nest without an end', '['.repeat(4000)],
    ['a form', 'content=a&query=a'],
  ])('is rejected if it is %s', async (_, body) => {
    const { status, json } = await withLength(body);
    expect([status, json['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(json['error']).toMatch(/^The request body (?:is empty|is not valid JSON|must be a JSON object)/);
  });

  it('may be split within a character', async () => {
    const bytes = Buffer.from('{"content":"a fish 🐟 and \ufffd"}');
    const parts = Array.from(bytes, (byte) => Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
    const { json } = await post([JSON_TYPE, 'Transfer-Encoding: chunked'], ...parts, '0\r\n\r\n');
    const { body } = await server.call('GET', `/api/${(json['ids'] as string[])[0]}`);
    expect(body.entry.content).toBe('a fish 🐟 and \ufffd');
  });

  it.each([
    ['a byte that stands nowhere', [0xff]],
    ['a character cut short', [0xf0, 0x9f, 0x90]],
    ['half of a pair', [0xed, 0xa0, 0xbd]],
  ])('is rejected if it is not UTF-8: %s', async (_, bytes) => {
    const before = await saved();
    const { status, json } = await withLength(Buffer.concat([Buffer.from('{"content":"'), Buffer.from(bytes), Buffer.from('"}')]));
    expect([status, json['error']]).toEqual([400, 'The request body is not valid UTF-8.']);
    expect(await saved()).toBe(before);
  });

  it.each([
    ['no length', 'X-None: 1', ''],
    ['the length 0', 'Content-Length: 0', ''],
    ['no chunk', 'Transfer-Encoding: chunked', '0\r\n\r\n'],
  ])('is rejected if it is empty: %s', async (_, line, body) => {
    const { status, json } = await post([JSON_TYPE, line], body);
    expect([status, json['error']]).toEqual([400, 'The request body is empty; send a JSON object.']);
  });

  it('is accepted up to the limit and rejected one byte above it', async () => {
    const fitting = JSON.stringify({ content: 'x'.repeat(LIMIT - 14) });
    expect(Buffer.byteLength(fitting)).toBe(LIMIT);
    expect((await withLength(fitting)).status).toBe(200);
    expect((await withLength(`${fitting} `)).status).toBe(413);
    expect((await post([JSON_TYPE, 'Transfer-Encoding: chunked'], chunk(fitting), '0\r\n\r\n')).status).toBe(200);
    expect((await post([JSON_TYPE, 'Transfer-Encoding: chunked'], chunk(`${fitting} `), '0\r\n\r\n')).status).toBe(413);
  });
});

describe('a body over the limit', () => {
  it('is refused by its announced length before it arrives', async () => {
    const { status, headers, json } = await post([JSON_TYPE, 'Content-Length: 1000000000', 'Expect: 100-continue']);
    expect([status, json['code'], headers['connection']]).toEqual([413, 'INVALID_REQUEST', 'close']);
    expect(json['error']).toBe(`The request body must be at most ${LIMIT} bytes.`);
  });

  it('still lets a client that sends first read its response', async () => {
    const { status, body } = await server.call('POST', '/api/save', { body: `{"content":"${'x'.repeat(8_000_000)}"}` });
    expect([status, body.code]).toEqual([413, 'INVALID_REQUEST']);
    const many = Array.from({ length: 500 }, () => chunk('x'.repeat(10_000)));
    expect((await post([JSON_TYPE, 'Transfer-Encoding: chunked'], ...many, '0\r\n\r\n')).status).toBe(413);
  });

  it('stores nothing, even if the part below the limit is complete', async () => {
    const before = await saved();
    const parts = [chunk('{"content":"whole in itself"}'), chunk(' '.repeat(LIMIT)), '0\r\n\r\n'];
    expect((await post([JSON_TYPE, 'Transfer-Encoding: chunked'], ...parts)).status).toBe(413);
    expect(await saved()).toBe(before);
  });

  it('is cut off if it never ends', async () => {
    const endless = Array.from({ length: 40 }, () => chunk('x'.repeat(1024 * 1024)));
    const text = await rawExchange(server.port, [head('/api/save', [JSON_TYPE, 'Transfer-Encoding: chunked']), ...endless]);
    expect(parseRaw(text).status).toBe(413);
  });
});

describe('a client that waits for 100 Continue', () => {
  it('gets it when its body is accepted', async () => {
    const body = '{"content":"asked first"}';
    const lines = [JSON_TYPE, `Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
    const text = await rawExchange(server.port, [head('/api/save', lines), body]);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('gets the refusal without it', async () => {
    const text = await rawExchange(server.port, [
      head('/api/save', ['Content-Type: text/plain', 'Content-Length: 100', 'Expect: 100-continue']),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('a connection', () => {
  it('stays usable after a refused body that was sent completely', async () => {
    const bad = 'nonsense';
    const text = await rawExchange(server.port, [
      head('/api/save', [JSON_TYPE, `Content-Length: ${bad.length}`]) + bad,
      head('/healthz', ['Connection: close'], 'GET'),
    ]);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  });

  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400],
    ['two lengths', head('/api/save', [JSON_TYPE, 'Content-Length: 5', 'Content-Length: 6']), 400],
    ['a length and chunks', head('/api/save', [JSON_TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked']), 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['too many headers', head('/healthz', [`X-Long: ${'x'.repeat(20_000)}`], 'GET'), 431],
  ])('that carries %s is answered and closed', async (_, bytes, status) => {
    const answer = parseRaw(await rawExchange(server.port, [bytes]));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ success: false, code: 'INVALID_REQUEST' });
  });

  it('that breaks in the middle of a body affects no other', async () => {
    await rawExchange(server.port, [head('/api/save', [JSON_TYPE, 'Transfer-Encoding: chunked']), 'zz\r\n']);
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });
});
