import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../src/cli/import-formats/input.ts';
import { readText } from './read-text.ts';

const HEADER = JSON.stringify({
  lore: { format: 1, exportedAt: '2026-01-31T12:00:00.000Z', embedder: { fingerprint: 'builtin/words/384/1', width: 384 }, entries: 2 },
});

describe('the detected format of an input', () => {
  it.each([
    ['jsonl', '{"content":"a"}\n{"content":"b"}\n'],
    ['jsonl', `${HEADER}\n{"content":"a"}\n`],
    ['json', '[{"content":"a"}, {"content":"b"}]'],
    ['json', '{"entries":[{"content":"a"}]}\n'],
    ['json', '{\n "version": 1,\n "memories": {"1": {"content":"a"}}\n}'],
    ['json', '{ "entries": [\n {"content":"a"}\n]}'],
    ['csv', 'content,tags\na,b\n'],
    ['csv', 'Created At;Text;Tags\n2024-01-01;a;b\n'],
    ['csv', 'id\tnote\n1\ta\n'],
    ['markdown', '---\ntitle: t\n---\nText\n'],
    ['markdown', '# Title\n\nText\n'],
    ['mcp-memory', '{"type":"entity","name":"Ana","entityType":"person","observations":["likes tea"]}\n'],
    ['mcp-memory', '{"type":"relation","from":"a","to":"b","relationType":"knows"}'],
    ['mcp-memory', '{"entities":[],"relations":[]}'],
    ['mem0', '{"results":[{"id":"1","memory":"likes tea"}]}'],
    ['mem0', '[{"memory":"likes tea","user_id":"u"}]'],
    ['mem0', '{"memory":"likes tea"}\n{"memory":"likes coffee"}\n'],
    ['claude-mem', '{"observations":[{"title":"t","narrative":"n"}],"summaries":[]}'],
    ['claude-mem', '{"memories":[{"title":"t","facts":["f"],"concepts":[]}]}'],
    ['claude-mem', '{"observations":[],"summaries":[],"sessions":[],"prompts":[]}'],
  ] as const)('is %s by its content alone: %j', async (format, text) => {
    for (const pieces of [1, 7, 10_000]) expect(await readText(text, { pieces })).toMatchObject({ format, isSure: true });
    expect(await readText(`\uFEFF${text}`)).toMatchObject({ format });
    expect(await readText(text.replaceAll('\n', '\r\n'))).toMatchObject({ format });
  });

  it.each([
    ['csv', 'a.csv', 'content\none\n'],
    ['csv', 'a.CSV', '[x],text\n1,one\n'],
    ['markdown', 'a.md', 'Just text.\n'],
    ['markdown', 'a.markdown', '[a link](there) begins this.\n'],
    ['markdown', 'notes.md', 'Note, this is no table.\nText, neither.\n'],
    ['markdown', 'a.md', '{ "this": is code,\n'],
  ] as const)('is %s where %s says so and the content nothing else', async (format, name, text) => {
    expect(await readText(text, { name })).toMatchObject({ format, isSure: true });
  });

  it.each([
    ['json', 'entries.md', '[{"content":"a"}]'],
    ['mem0', 'mem.csv', '[{"memory":"a"}]'],
    ['jsonl', 'lines.csv', '{"content":"a"}\n{"content":"b"}'],
    ['mcp-memory', 'memory.json', '{"type":"entity","name":"n","entityType":"t","observations":[]}'],
  ] as const)('is %s by its content although it is called %s', async (format, name, text) => {
    expect(await readText(text, { name })).toMatchObject({ format });
  });

  it('is JSON Lines if nothing else fits, marked as a guess', async () => {
    for (const text of [
      '',
      'one\ntwo\n',
      'not json\n{"content":"b"}',
      '{"content":"cut\n{"content":"b"}',
      '{"other":1}',
      'one\n---\ntwo\n---\n',
    ])
      expect(await readText(text)).toMatchObject({ format: 'jsonl', isSure: false });
  });

  it('is found in the beginning, even if that has no line break', async () => {
    const chunk = Buffer.alloc(32 * 1024 * 1024, ' ');
    let read = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (; read < 20; read += 1) yield chunk;
    };
    await using input = await inputOf({ name: 'endless', extension: '', bytes: undefined, chunks: endless() });
    expect(input.shape).toBe('text');
    expect(read).toBeLessThan(10);
  });

  it('of an export includes its number of entries', async () => {
    const { why } = await readText(`${HEADER}\n{"content":"a"}`);
    expect(why).toBe('it is an export of Lore of 2026-01-31T12:00:00.000Z with 2 entries made with the model builtin/words/384/1');
  });

  it('is the requested one, whatever the content looks like', async () => {
    expect(await readText('content,tags\na,b\n', { format: 'jsonl' })).toMatchObject({ format: 'jsonl', why: 'named by --format' });
    expect(await readText('content\n{"content":"a"}', { format: 'csv' })).toMatchObject({ entries: [{ content: '{"content":"a"}' }] });
    expect(await readText('[1]', { format: 'markdown' })).toMatchObject({ entries: [{ content: '[1]' }] });
    await expect(readText('content\na', { format: 'json' })).rejects.toMatchObject({ message: 'standard input is not valid JSON.' });
    await expect(readText('{"a":1}', { format: 'mem0' })).resolves.toMatchObject({ problems: ['standard input:1: memory is required'] });
    await expect(readText('{\n"a":1\n}', { format: 'claude-mem' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is independent of UTF-8 or UTF-16', async () => {
    const text = 'content;tags\nGrüße 🎉;a\n';
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big])
      for (const pieces of [1, 3, 10_000]) {
        expect(await readText(bytes, { pieces })).toMatchObject({ format: 'csv', entries: [{ content: 'Grüße 🎉', tags: ['a'] }] });
      }
    const broken = Buffer.concat([little, Buffer.from([0x00, 0xd8, 0x20, 0x00])]);
    await expect(readText(broken, { format: 'jsonl' })).rejects.toMatchObject({ message: 'standard input is not valid UTF-16.' });
  });
});

describe('JSON Lines', () => {
  it.each([1, 7, 1000])('pass unchanged in chunks of %i bytes', async (pieces) => {
    const text = '{"content":"é"}\n{"content":"b"}\n';
    expect((await readText(text, { pieces })).entries).toEqual([{ content: 'é' }, { content: 'b' }]);
    expect((await readText('{"content":"one line, no break"}', { pieces })).entries).toEqual([{ content: 'one line, no break' }]);
    expect((await readText(text, { pieces, name: 'f.jsonl' })).places).toEqual(['f.jsonl:1', 'f.jsonl:2']);
  });
});
