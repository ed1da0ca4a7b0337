import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

const read = (text: string | Uint8Array, options = {}) => readText(text, { name: 'notes.csv', ...options });

describe('a CSV file', () => {
  it('gives an entry for each row, by the names of its columns', async () => {
    const text = [
      'ID,Text,Tags,Project,container,Priority,importance,created_at,Source',
      '17,We deploy with make ship.,"deploy, ops",owner/repo,web,High,0.8,2024-05-01 10:00,notion',
    ].join('\n');
    const { entries, places, leftOut } = await read(text, { name: 'dir/notes.csv' });
    expect(entries).toEqual([
      {
        id: '17',
        content: 'We deploy with make ship.',
        namespace: 'owner/repo',
        container: 'web',
        tags: ['deploy', 'ops'],
        priority: 'high',
        importance: 0.8,
        createdAt: '2024-05-01T10:00:00.000Z',
        sourceRef: { file: 'notes.csv', row: 2, source: 'notion' },
      },
    ]);
    expect(places).toEqual(['dir/notes.csv row 2']);
    expect(leftOut).toEqual([]);
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['a; b ;', ['a', 'b']],
    ['["a","b, c"]', ['a', 'b, c']],
    ['[a, b', ['[a', 'b']],
    ['#a,#a, ,b c', ['a', 'b c']],
    ['', undefined],
  ])('reads the tags %j', async (cell, tags) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    expect((await read(`content,tags\nx,${quoted}\n`)).entries[0]?.tags).toEqual(tags);
  });

  it.each([',', ';', '\t'])('may separate cells by %j, quote them and spread them over lines, with any line ends', async (delimiter) => {
    const cells = ['He said ""yes"" (1,2;3)\n\nand\tleft', ' kept as it is '];
    for (const end of ['\n', '\r\n', '\r']) {
      for (const mark of ['', '\uFEFF']) {
        const rows = [`content${delimiter}container`, `"${cells[0]}"${delimiter}x`, '', `"${cells[1]}"${delimiter}`, ''];
        const { entries, places } = await read(mark + rows.join(end), { pieces: 5 });
        expect(entries.map(({ content }) => content)).toEqual(['He said "yes" (1,2;3)\n\nand\tleft', ' kept as it is ']);
        expect(places).toEqual(['notes.csv row 2', 'notes.csv row 4']);
      }
    }
  });

  it('reports unknown columns, and prefers the best of two text columns', async () => {
    const { entries, leftOut } = await read('note,text,Mood,,text\nn,t,good,,again\n');
    expect(entries).toEqual([{ content: 't', sourceRef: { file: 'notes.csv', row: 2 } }]);
    expect(leftOut).toEqual([{ what: 'columns', count: 4, names: ['note', 'Mood', 'column 4', 'text'] }]);
  });

  it('without a text column fails with one clear error', async () => {
    await expect(read('title,body\na,b\n')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'notes.csv has no column with the text of the entries. Its columns are "title", "body".',
    });
  });

  it('reports rows with too many cells and accepts short rows', async () => {
    const { entries, problems } = await read('content,tags,id\na,x\nb,,1,surplus\nc,,,\nd\n');
    expect(entries.map(({ content }) => content)).toEqual(['a', 'c', 'd']);
    expect(problems).toEqual(['notes.csv row 3: has 4 cells where the first row names 3 columns']);
  });

  it('imports a row without its unreadable values, and reports them', async () => {
    const { entries, leftOut } = await read('content,date,priority,importance\na,01/02/2024,urgent,7\n');
    expect(entries).toEqual([{ content: 'a', sourceRef: { file: 'notes.csv', row: 2 } }]);
    expect(leftOut.map(({ what, names }) => [what, ...names])).toEqual([
      ['priorities other than low, normal and high', 'urgent'],
      ['importances that are not from 0 to 1', '7'],
      ['dates that cannot be read', '01/02/2024'],
    ]);
  });

  it('lets the namespace flag override the column', async () => {
    expect((await read('content,project\na,p\n', { namespace: 'n' })).entries[0]).not.toHaveProperty('namespace');
  });

  it('passes a row without text on, which the import rejects', async () => {
    expect((await read('content,tags\n,x\n')).entries).toMatchObject([{ content: '', tags: ['x'] }]);
  });

  it('keeps a quote inside a cell, and reports the row of an unclosed one', async () => {
    expect((await read('content,tags\na 5" pipe,x\n"b" and c,y\n')).entries.map(({ content }) => content)).toEqual([
      'a 5" pipe',
      '"b" and c',
    ]);
    const { entries, problems } = await read('content,tags\na,x\n"b,y\nc,z\n');
    expect(entries.map(({ content }) => content)).toEqual(['a']);
    expect(problems).toEqual(['notes.csv row 3: has a quote that is never closed; nothing from here on was read']);
  });

  it('that is not UTF-8 is reported, not guessed', async () => {
    const { entries, problems } = await read(Buffer.from('content,tags\ncaf\xe9,x\n', 'latin1'));
    expect(entries).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/^notes\.csv row \d: is not valid UTF-8/)]);
  });

  it('may be empty or have only a header', async () => {
    for (const text of ['', '\n\n', 'content,tags', 'content,tags\n\n,\n'])
      expect(await read(text)).toMatchObject({ entries: [], problems: [] });
  });

  it('with many rows is read as a stream', async () => {
    const rows = Array.from({ length: 5000 }, (_, nth) => `"line ${nth}\nmore",t${nth % 7}`);
    const { entries, places } = await read(`content,tags\n${rows.join('\n')}`, { pieces: 1000 });
    expect(entries.map(({ content }) => content)).toEqual(Array.from({ length: 5000 }, (_, nth) => `line ${nth}\nmore`));
    expect(places.at(-1)).toBe('notes.csv row 5001');
  });
});
