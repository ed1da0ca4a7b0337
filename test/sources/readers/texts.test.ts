import { describe, expect, it } from 'vitest';
import { contentsOf, reading } from './reading.ts';

const words = (count: number, word = 'word'): string => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');

describe('plain text', () => {
  it('becomes passages of whole paragraphs with their lines', async () => {
    const text = `${words(40, 'alpha')}\n\n${words(40, 'beta')}\n\n${words(40, 'gamma')}\n`;
    const { format, documents } = await reading('notes.txt', text);
    expect(format).toBe('text');
    const [{ passages } = { passages: [] }] = documents;
    expect(passages.length).toBeGreaterThan(1);
    expect(passages.every(({ content }) => content.length <= 500)).toBe(true);
    expect(passages[0]).toMatchObject({ start: 1, end: 1 });
    expect(passages.at(-1)?.end).toBe(5);
    expect(passages[0]?.content).toContain('alpha0');
    expect(passages.at(-1)?.content).toContain('gamma39');
  });

  it('is one passage without splitting', async () => {
    const read = await reading('notes.txt', `\n\n${words(300)}\n\nend\n`, { split: 'none' });
    expect(contentsOf(read)).toEqual([`${words(300)}\n\nend`]);
    expect(read.documents[0]?.passages[0]).toMatchObject({ start: 3, end: 5 });
  });

  it('has no passages if it is blank', async () => {
    expect(contentsOf(await reading('notes.txt', ' \n\n\t'))).toEqual([]);
  });

  it('is read from UTF-16 with and without a BOM, and from UTF-8 with one', async () => {
    const text = 'Größe\nzwei';
    const utf16 = Buffer.from(text, 'utf16le');
    for (const bytes of [
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      utf16,
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      Buffer.from(`\uFEFF${text}`),
    ]) {
      const read = await reading('notes.txt', bytes);
      expect(contentsOf(read)).toEqual([text]);
      expect(read.notes).toEqual([]);
    }
  });

  it('is read as Latin-1 if it is not UTF-8, with a note', async () => {
    const read = await reading('notes.txt', Buffer.from('Das Caf\u00e9, gro\u00df', 'latin1'));
    expect(contentsOf(read)[0]).toContain('Das Café');
    expect(read.notes).toEqual(['is not UTF-8 and was read as Latin-1 (Windows-1252)']);
  });

  it('loses colours and control characters, and gets uniform line ends', async () => {
    expect(contentsOf(await reading('out.log', 'one\r\n\u001b[31mtwo\u001b[0m\u0007\rthree\u0085'))).toEqual(['one\ntwo\nthree']);
  });

  it('is rejected if it is binary', async () => {
    const noise = Buffer.from(Array.from({ length: 2000 }, (_, at) => (at * 7919) % 256));
    await expect(reading('thing.bin', noise)).rejects.toMatchObject({ code: 'unsupported_media_type', message: 'thing.bin is not text.' });
  });

  it('of one endless line is cut at the limit', async () => {
    const passages = contentsOf(await reading('line.txt', 'x'.repeat(1_000_000)));
    expect(passages.length).toBeGreaterThan(1900);
    expect(passages.every((content) => content.length <= 500)).toBe(true);
  });
});

describe('Markdown', () => {
  const TEXT = [
    '---',
    'title: Handbook',
    'tags: [ops, team]',
    'date: 2024-05-01',
    'author: Ana',
    '---',
    'Before all.',
    '',
    '# Deploying',
    '',
    'With make ship. #release',
    '',
    '## Rolling back',
    '',
    'With make back.',
    '',
    '```c',
    '#include <stdio.h>',
    '# no heading',
    '```',
    '',
    '## Empty',
  ].join('\n');

  it('is split at its headings; each passage has its headings, lines, tags and date', async () => {
    const read = await reading('handbook.md', TEXT);
    expect(read.format).toBe('markdown');
    expect(read.documents[0]?.passages).toEqual([
      {
        content: 'Handbook\n\nBefore all.',
        start: 7,
        end: 7,
        heading: 'Handbook',
        tags: ['ops', 'team'],
        createdAt: '2024-05-01T00:00:00.000Z',
      },
      {
        content: 'Handbook > Deploying\n\nWith make ship. #release',
        start: 11,
        end: 11,
        heading: 'Handbook > Deploying',
        tags: ['ops', 'team', 'release'],
        createdAt: '2024-05-01T00:00:00.000Z',
      },
      {
        content: 'Handbook > Deploying > Rolling back\n\nWith make back.\n\n```c\n#include <stdio.h>\n# no heading\n```',
        start: 15,
        end: 20,
        heading: 'Handbook > Deploying > Rolling back',
        tags: ['ops', 'team'],
        createdAt: '2024-05-01T00:00:00.000Z',
      },
      { content: 'Handbook > Deploying > Empty', start: 22, end: 22, tags: ['ops', 'team'], createdAt: '2024-05-01T00:00:00.000Z' },
    ]);
    expect(read.leftOut).toEqual([{ what: 'front matter fields', count: 1, names: ['author'] }]);
  });

  it('keeps whole sections or the whole text on request', async () => {
    const long = `# One\n\n${words(200)}\n\n### Deep\n\nmore\n\n# Two\n\nlast`;
    expect(contentsOf(await reading('a.md', long, { split: 'headings' }))).toEqual([
      `One\n\n${words(200)}\n\n### Deep\n\nmore`,
      'Two\n\nlast',
    ]);
    expect(contentsOf(await reading('a.md', long, { split: 'none' }))).toEqual([long]);
  });

  it('is read as text if its front matter is invalid, with a note', async () => {
    const read = await reading('a.md', '---\nkey: [1\n---\nText.');
    expect(contentsOf(read).join('\n')).toContain('Text.');
    expect(read.notes[0]).toMatch(/^has front matter that is not valid YAML .*; it was read as text$/);
  });

  it('is fast for huge front matter and for headings without end', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`),
    ];
    const read = await reading('a.md', `---\n${bomb.join('\n')}\n---\nText.`);
    expect(read.notes[0]).toContain('too many YAML aliases');
    const deep = await reading('a.md', `---\n${'['.repeat(50_000)}\n---\nText.`).catch((error: unknown) => error);
    expect(deep).toBeDefined();
    expect(contentsOf(await reading('a.md', `${'# '.repeat(100_000)}\n\nText.`)).at(-1)).toContain('Text.');
  });
});

describe('HTML', () => {
  const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Release &amp; notes</title><style>p{color:red}</style>
    <script>alert("never")</script></head><body><h1>Version 2</h1><p>Faster <b>search</b> with snake_case &lt;tags&gt;.</p>
    <ul><li>one</li><li><a href="https://example.com/x">two</a> <a href="#top">top</a></li></ul>
    <table><tr><th>Key</th><th>Value</th></tr><tr><td>port</td><td>7007</td></tr></table><img src="x.png" alt="logo"><noscript>none</noscript>
    <pre><code>make ship</code></pre><h2>Fixed</h2><p>A crash.</p></body></html>`;

  it('becomes text with its title and headings, without scripts, styles and images', async () => {
    const read = await reading('page.html', PAGE);
    expect(read.format).toBe('html');
    expect(contentsOf(read)).toEqual([
      'Release & notes > Version 2\n\nFaster **search** with snake_case <tags>.\n\n-   one\n-   [two](https://example.com/x) top\n\n| Key | Value |\n| port | 7007 |\n\n```\nmake ship\n```',
      'Release & notes > Version 2 > Fixed\n\nA crash.',
    ]);
    expect(read.leftOut).toEqual([{ what: 'scripts', count: 1, names: [] }]);
  });

  it('is decoded as it declares', async () => {
    const page = Buffer.from('<html><head><meta charset=iso-8859-2></head><body><p>\xb1</p></body></html>', 'latin1');
    const read = await reading('page.htm', page);
    expect(contentsOf(read)).toEqual(['ą']);
    expect(read.notes).toEqual(['is not UTF-8 and was read as iso-8859-2']);
  });

  it('is detected by its beginning if the name has no extension', async () => {
    expect((await reading('download', PAGE)).format).toBe('html');
  });

  it('nested without end is rejected quickly', async () => {
    for (const tag of ['<div>', '<b>', '<font size=1>']) {
      await expect(reading('deep.html', `<html>${tag.repeat(200_000)}x`)).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'deep.html is nested too deeply to be read.',
      });
    }
  });
});
