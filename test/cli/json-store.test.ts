import { describe, expect, it } from 'vitest';
import { asJsonLines } from '../../src/cli/json-store.ts';

async function lines(text: string, size = 3): Promise<string[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const parts: Uint8Array[] = [];
  for await (const part of asJsonLines(chunks(), 'file')) parts.push(part);
  return Buffer.concat(parts)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

describe('what `lore import` reads', () => {
  it.each([1, 7, 1000])('JSON Lines pass as they are, in pieces of %i bytes', async (size) => {
    expect(await lines('{"content":"é"}\n{"content":"b"}\nnot json\n', size)).toEqual(['{"content":"é"}', '{"content":"b"}', 'not json']);
    expect(await lines('{"content":"one line, no break"}', size)).toEqual(['{"content":"one line, no break"}']);
    expect(await lines('not json\n{"content":"b"}', size)).toEqual(['not json', '{"content":"b"}']);
    expect(await lines('', size)).toEqual([]);
  });

  it.each([
    ['an array', '[{"content":"a"}, {"content":"b"}]'],
    ['an array over many lines', ' [\n {"content":"a"},\n {"content":"b"}\n]\n'],
    ['an object with a list', '{\n "version": 1,\n "entries": [{"content":"a"},{"content":"b"}]\n}'],
    ['an object in one line', '{"entries":[{"content":"a"},{"content":"b"}]}\n'],
    ['an object in one line without an end', '{"entries":[{"content":"a"},{"content":"b"}]}'],
    ['an object with entries by id', '{\n "memories": {"1": {"content":"a"}, "2": {"content":"b"}}\n}'],
  ])('%s becomes lines', async (_, text) => {
    expect(await lines(text)).toEqual(['{"content":"a"}', '{"content":"b"}']);
  });

  it('a broken document and one without entries are refused by name', async () => {
    await expect(lines('[{"content":')).rejects.toMatchObject({ code: 'invalid_input', message: 'file is not valid JSON.' });
    await expect(lines('{\n"other": 1\n}')).rejects.toMatchObject({ code: 'invalid_input', message: 'file holds no list of entries.' });
  });
});
