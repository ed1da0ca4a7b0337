import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { LineTransport } from '../../src/mcp/line-transport.ts';

interface Answer {
  readonly id: unknown;
  readonly error: { readonly code: number; readonly message: string };
}

interface Connection {
  readonly input: PassThrough;
  readonly transport: LineTransport;
  /** The messages that it handed on. */
  readonly taken: readonly object[];
  readonly answers: () => Answer[];
}

async function connection({
  maxMessageBytes = 1_000,
  output = new PassThrough(),
}: { maxMessageBytes?: number; output?: Writable } = {}): Promise<Connection> {
  const input = new PassThrough();
  const transport = new LineTransport({ input, output, maxMessageBytes });
  const taken: object[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has a property for it
  transport.onmessage = (message) => void taken.push(message);
  await transport.start();
  const answers = (): Answer[] =>
    allOf(output as PassThrough)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Answer);
  return { input, transport, taken, answers };
}

/** What can be read at once. From Node 26 on, one call of `read` gives one chunk. */
function allOf(output: PassThrough): string {
  let text = '';
  for (let chunk = output.read() as Buffer | null; chunk !== null; chunk = output.read() as Buffer | null) text += chunk.toString();
  return text;
}

const ping = (id: number | string): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

it('answers each invalid line, with its id if it has one', async () => {
  const { input, transport, taken, answers } = await connection();
  const lines: readonly (readonly [line: string, code: number, id: unknown])[] = [
    ['{"jsonrpc":"2.0","id":1,"method":', -32_700, null],
    ['null', -32_600, null],
    [`[${ping(1).trim()}]`, -32_600, null],
    ['{"id":2,"method":"ping"}', -32_600, 2],
    ['{"jsonrpc":"2.0","id":"a","method":5}', -32_600, 'a'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', -32_600, 3],
    ['{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":"x"}}', -32_600, 4],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, 1.5],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
  ];
  input.end(lines.map(([line]) => `${line}\n`).join(''));
  await transport.ended;
  expect(answers().map(({ id, error }) => [id, error.code])).toEqual(lines.map(([, code, id]) => [id, code]));
  expect(taken).toEqual([]);
});

it('ignores a blank line, an invalid notification and an invalid response', async () => {
  const { input, transport, answers } = await connection();
  input.end('\n  \r\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":1}\n{"id":1,"result":1}\n');
  await transport.ended;
  expect(answers()).toEqual([]);
});

it('accepts lines in chunks, with either line end, a byte order mark, and without a last line end', async () => {
  const { input, transport, taken } = await connection();
  for (const byte of Buffer.from(ping('é'))) input.write(Buffer.from([byte]));
  input.write(`\ufeff${ping(2).trim()}\r\n`);
  input.end(ping(3).trim());
  await transport.ended;
  expect(taken).toMatchObject([{ id: 'é' }, { id: 2 }, { id: 3 }]);
});

it('rejects bytes that are not UTF-8, and overlong lines, and accepts the next line', async () => {
  const { input, transport, taken, answers } = await connection();
  input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  for (let nth = 0; nth < 10; nth += 1) input.write('x'.repeat(500));
  input.end(`\n${ping(1)}`);
  await transport.ended;
  expect(answers().map(({ error }) => error.message)).toEqual(['This line is not JSON in UTF-8.', 'This line is longer than 1000 bytes.']);
  expect(taken).toMatchObject([{ id: 1 }]);
});

it('reads no more requests while large ones are in progress, and continues afterwards', async () => {
  const { input, transport, taken } = await connection();
  const large = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { text: 'x'.repeat(600) } })}\n`;
  for (const id of [1, 2]) input.write(large(id));
  await expect.poll(() => taken.length).toBe(2);
  expect(input.isPaused()).toBe(true);
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(input.isPaused()).toBe(false);
  expect(transport.isBusy).toBe(true);
  input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n');
  await expect.poll(() => transport.isBusy).toBe(false);
});

it('reads no more while its client does not read, and continues afterwards', async () => {
  let read: () => void = () => {};
  const output = new Writable({ write: (_chunk, _encoding, done) => void (read = done) });
  const { input, transport } = await connection({ output });
  const text = 'x'.repeat(1_000_000);
  for (let id = 0; id < 6; id += 1) await transport.send({ jsonrpc: '2.0', id, result: { text } });
  expect(input.isPaused()).toBe(true);
  for (let id = 0; id < 6; id += 1) {
    read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(input.isPaused()).toBe(false);
});
