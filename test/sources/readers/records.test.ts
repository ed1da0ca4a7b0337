import { describe, expect, it } from 'vitest';
import { contentsOf, reading } from './reading.ts';

describe('JSON', () => {
  it('gives an entry for each record with a text, with its title, tags and date', async () => {
    const records = [
      { title: 'Deploy', text: 'With make ship.', tags: ['ops', '#release'], created_at: 1_714_557_600 },
      { content: 'Second', metadata: { tags: 'a, b', timestamp: '2024-05-01' } },
      { id: 3 },
    ];
    const read = await reading('notes.json', JSON.stringify(records));
    expect(read.documents[0]?.passages).toEqual([
      {
        content: 'Deploy\n\nWith make ship.',
        heading: 'Deploy',
        tags: ['ops', 'release'],
        createdAt: '2024-05-01T10:00:00.000Z',
        details: { record: 1 },
      },
      { content: 'Second', tags: ['a', 'b'], createdAt: '2024-05-01T00:00:00.000Z', details: { record: 2 } },
    ]);
    expect(read.leftOut).toEqual([{ what: 'records without text', count: 1, names: ['record 3'] }]);
  });

  it('finds the records of a document under a known name', async () => {
    expect(contentsOf(await reading('notes.json', '{"version": 1, "notes": [{"body": "one"}, {"note": "two"}]}'))).toEqual(['one', 'two']);
  });

  it('is read as text without records, formatted if it is one line', async () => {
    expect(contentsOf(await reading('package.json', '{"name": "lore",\n"private": true}'))).toEqual(['{"name": "lore",\n"private": true}']);
    expect(contentsOf(await reading('package.json', '{"name":"lore"}'))).toEqual(['{\n  "name": "lore"\n}']);
  });

  it('that is broken is rejected with a reason', async () => {
    await expect(reading('notes.json', '{"a": 1,\n}')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^notes\.json(:2)? is not valid JSON\.$/) as string,
    });
  });

  it('nested a hundred thousand deep neither crashes nor hangs', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await reading('deep.json', deep)).format).toBe('json');
  });

  it('with lone surrogates becomes well-formed', async () => {
    expect(contentsOf(await reading('a.json', String.raw`[{"text":"a\ud800b"}]`))).toEqual(['a\ufffdb']);
  });
});

describe('JSON Lines', () => {
  it('gives an entry per line, or the line itself if it has no text', async () => {
    const read = await reading('notes.jsonl', '{"text":"one","tags":["a"]}\n\n{"level":"info"}\n"three"\n');
    expect(read.documents[0]?.passages).toEqual([
      { content: 'one', tags: ['a'], start: 1, end: 1 },
      { content: '{"level":"info"}', start: 3, end: 3 },
      { content: 'three', start: 4, end: 4 },
    ]);
    expect(read.found).toEqual({ lines: 3 });
  });

  it('reports file and line of malformed input, and gives nothing of the file', async () => {
    await expect(reading('notes.jsonl', '{"text":"one"}\n{"text":\n')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'notes.jsonl:2 is not valid JSON.',
    });
  });

  it('is detected by its lines, whatever its name', async () => {
    expect((await reading('standard input', '{"text":"one"}\n{"text":"two"}\n')).format).toBe('jsonl');
    expect((await reading('notes.json', '{"text":"one"}\n{"text":"two"}\n')).format).toBe('jsonl');
  });

  it('of a Lore export are passed to the import', async () => {
    const header = '{"lore":{"format":1,"exportedAt":"2026-01-01T00:00:00.000Z","entries":1}}';
    const read = await reading('backup.jsonl', `${header}\n{"content":"x"}\n`).catch((error: unknown) => error);
    expect(read).toMatchObject({ code: 'unsupported_media_type', message: 'backup.jsonl is an export of Lore.' });
  });
});

describe('CSV', () => {
  it('with a text column gives that, with tags, date and lines', async () => {
    const read = await reading('notes.csv', 'text,tags,date,mood\r\n"Two\r\nlines","a, b",2024-05-01,good\r\n\r\nLast,,,\r\n,,,sad\r\n');
    expect(read.documents[0]?.passages).toEqual([
      { content: 'Two\nlines', start: 2, end: 3, tags: ['a', 'b'], createdAt: '2024-05-01T00:00:00.000Z' },
      { content: 'Last', start: 5, end: 5 },
    ]);
    expect(read.leftOut).toEqual([
      { what: 'columns', count: 1, names: ['mood'] },
      { what: 'rows without text', count: 1, names: ['line 6'] },
    ]);
  });

  it('without one gives every cell under its column name', async () => {
    const read = await reading('hosts.tsv', 'host\tport\nalpha\t7007\nbeta\t\t9\n');
    expect(contentsOf(read)).toEqual(['host: alpha\nport: 7007', 'host: beta\ncolumn 3: 9']);
  });

  it('reports the line of an unclosed quote', async () => {
    await expect(reading('notes.csv', 'text,tag\none,a\n"two,b\nthree,c\n')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'notes.csv:3 has a quote that is never closed.',
    });
    await expect(reading('notes.csv', `text,tag\n"${'x'.repeat(2_000_000)}`)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('notes.csv:2 is longer than 1 MB') as string,
    });
  });

  it('with too many rows is rejected', async () => {
    await expect(reading('rows.csv', `a\n${'1\n'.repeat(25_000)}`)).rejects.toMatchObject({
      code: 'too_large',
      message: 'rows.csv would make more than 20,000 entries.',
    });
  });
});

describe('a document above the limit of its format', () => {
  it('is rejected before it is read', async () => {
    const large = Buffer.alloc(13 * 1024 * 1024, 'x');
    await expect(reading('book.txt', large)).rejects.toMatchObject({ code: 'too_large', message: 'book.txt is larger than 12 MB.' });
  });
});
