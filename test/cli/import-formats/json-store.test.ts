import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

describe('a JSON document', () => {
  it.each([
    ['an array', '[{"content":"a"}, {"content":"b"}]'],
    ['an array over many lines', ' [\n {"content":"a"},\n {"content":"b"}\n]\n'],
    ['an object with a list', '{\n "version": 1,\n "entries": [{"content":"a"},{"content":"b"}]\n}'],
    ['an object in one line', '{"entries":[{"content":"a"},{"content":"b"}]}\n'],
    ['an object in one line without an end', '{"entries":[{"content":"a"},{"content":"b"}]}'],
    ['an object with entries by id', '{\n "memories": {"1": {"content":"a"}, "2": {"content":"b"}}\n}'],
    ['the answer of a search', '{"success":true,"results":[{"entry":{"content":"a"},"score":0.9},{"entry":{"content":"b"},"score":0.1}]}'],
  ])('that is %s becomes lines', async (_, text) => {
    for (const pieces of [3, 10_000])
      expect(await readText(text, { pieces })).toMatchObject({ entries: [{ content: 'a' }, { content: 'b' }] });
  });

  it('in the persistence format of the specification passes with every field', async () => {
    const entry = {
      id: '550e8400-e29b-41d4-a716-446655440000',
      content: 'We deploy with make ship.',
      metadata: { namespace: 'owner/repo', tags: ['deploy'], timestamp: '2024-05-01T10:00:00.000Z', summary: 'make ship' },
      embedding: [0.1, 0.2],
      contentHash: 'abc',
    };
    const { entries, places, leftOut } = await readText(
      JSON.stringify({ version: '0.9.0', entries: [entry], relations: [{ sourceId: 'a', targetId: 'b' }], entities: {} }),
      { name: 'store.json' },
    );
    expect(entries).toEqual([entry]);
    expect(places).toEqual(['store.json entry 1']);
    expect(leftOut).toEqual([{ what: 'relations', count: 1, names: [] }]);
  });

  it('reports items that are not entries and continues', async () => {
    const { entries, problems } = await readText('{"entries":[{"content":"a"}, null, 5, [], "x", {"content":"b"}]}', { name: 's.json' });
    expect(entries).toEqual([{ content: 'a' }, { content: 'b' }]);
    expect(problems).toEqual([2, 3, 4, 5].map((at) => `s.json entry ${at}: must be a JSON object`));
  });

  it('that is broken, has no list, or is not UTF-8 is rejected with a reason', async () => {
    await expect(readText('[{"content":')).rejects.toMatchObject({ code: 'invalid_input', message: 'standard input is not valid JSON.' });
    await expect(readText('{\n"other": 1\n}')).rejects.toMatchObject({ message: 'standard input has no list of entries.' });
    await expect(readText('"text"', { format: 'json' })).rejects.toMatchObject({ message: 'standard input has no list of entries.' });
    const bytes = Buffer.concat([Buffer.from('[{"content":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
    await expect(readText(bytes)).rejects.toMatchObject({ message: 'standard input is not valid UTF-8.' });
  });

  it('is safe with keys that every object has', async () => {
    const { entries } = await readText('{"entries":[{"content":"a","__proto__":{"content":"x"},"constructor":1}]}');
    expect(entries[0]?.content).toBe('a');
  });
});
