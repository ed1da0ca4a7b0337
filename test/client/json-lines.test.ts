import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../src/client/json-lines.ts';

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(typeof part === 'string' ? Buffer.from(part) : part);
}
const read = (source: AsyncIterable<Uint8Array>): Promise<unknown[]> => Readable.from(jsonLines(source)).toArray();

describe('jsonLines', () => {
  it('reads lines from chunks of any size', async () => {
    const bytes = Buffer.from('{"a":"é🎉"}\r\n\n[1,2]\n"last"');
    for (const size of [1, 2, 3, 7, 100]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      expect(await read(chunks(...parts))).toEqual([{ a: 'é🎉' }, [1, 2], 'last']);
    }
  });

  it('returns nothing for no input', async () => {
    expect(await read(chunks())).toEqual([]);
    expect(await read(chunks('\n\n'))).toEqual([]);
  });

  it('rejects a truncated line', async () => {
    await expect(read(chunks('{"a":1}\n{"b":'))).rejects.toMatchObject({
      code: 'network',
      message: 'The response of the server was cut off.',
    });
  });
});
