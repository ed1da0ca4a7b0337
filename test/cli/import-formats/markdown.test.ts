import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/folder.ts';
import { readPath, readText, type ReadTextOptions } from './read-text.ts';

const read = (text: string, options: ReadTextOptions = {}) => readText(text, { name: 'notes/Deploys.md', ...options });
const MODIFIED = new Date('2024-05-01T10:00:00.000Z');

/** A folder with these files, all of the same age. */
async function folderOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, MODIFIED, MODIFIED);
  }
  return folder;
}

describe('a Markdown file', () => {
  it('is one entry, with the fields of its front matter', async () => {
    const text = [
      '---',
      'title: How we deploy',
      'tags: [deploy, "#ops"]',
      'date: 2024-05-01',
      'updated: 2024-06-01T12:00:00Z',
      'namespace: owner/repo',
      'container: web',
      'priority: high',
      'importance: 0.9',
      'cssclass: wide',
      '---',
      '',
      'With `make ship`. #staging first.',
      '',
    ].join('\n');
    const { entries, places, leftOut } = await read(text);
    expect(entries).toEqual([
      {
        content: '# How we deploy\n\nWith `make ship`. #staging first.',
        namespace: 'owner/repo',
        container: 'web',
        priority: 'high',
        importance: 0.9,
        tags: ['deploy', 'ops', 'staging'],
        createdAt: '2024-05-01T00:00:00.000Z',
        updatedAt: '2024-06-01T12:00:00.000Z',
        sourceRef: { path: 'Deploys.md', title: 'How we deploy' },
      },
    ]);
    expect(places).toEqual(['notes/Deploys.md']);
    expect(leftOut).toEqual([{ what: 'front matter fields', count: 1, names: ['cssclass'] }]);
  });

  it.each([
    ['tags: a, b', ['a', 'b']],
    ['tags: a b', ['a', 'b']],
    ['tags:\n  - a\n  - b/c', ['a', 'b/c']],
    ['tag: a\nkeywords: [b]', ['a', 'b']],
    ['tags: 2024', ['2024']],
    ['tags:', undefined],
  ])('reads %j', async (yaml, tags) => {
    expect((await read(`---\n${yaml}\n---\ntext`)).entries[0]?.tags).toEqual(tags);
  });

  it.each([
    ['is its title where the text has no heading', 'text', '# Deploys\n\ntext'],
    ['gives way to a heading', '\n## Ships\ntext\n\n', '## Ships\ntext'],
    ['gives way to an underlined heading', 'Ships\n=====\ntext', 'Ships\n=====\ntext'],
    ['gives way to a title', '---\ntitle: Ships\n---\ntext', '# Ships\n\ntext'],
    ['and the title are not said twice', '---\ntitle: Ships\n---\n# Ships\ntext', '# Ships\ntext'],
    ['and a heading do not hide the title', '---\ntitle: Fleet\n---\n# Ships\ntext', '# Fleet\n\n# Ships\ntext'],
  ])('its name %s', async (_, text, content) => {
    expect((await read(text)).entries.map((entry) => entry.content)).toEqual([content]);
    expect((await read(text.replaceAll('\n', '\r\n'))).entries).toHaveLength(1);
  });

  it('named README or index, or from a pipe, gets no title from its name', async () => {
    for (const name of ['README.md', 'x/index.markdown', 'standard input'])
      expect((await readText('text', { name, format: 'markdown' })).entries.map(({ content }) => content)).toEqual(['text']);
  });

  it('has no front matter if the dashes are a rule or are not closed', async () => {
    for (const text of ['---\n\ntext without an end', 'text\n---\na: b\n---\n'])
      expect((await read(text, { format: 'markdown' })).entries.map(({ content }) => content)).toEqual(
        [`# Deploys\n\n${text.trimEnd()}`].map((all) => (text.startsWith('text') ? text.trimEnd() : all)),
      );
    expect((await read('---\n---\ntext')).entries).toMatchObject([{ content: '# Deploys\n\ntext' }]);
  });

  it.each([
    ['---\ntitle: a: b\n---\ntext', /^notes\/Deploys\.md: has front matter that is not valid YAML \(line 2\): /],
    ['---\ntags: [a\n---\ntext', /^notes\/Deploys\.md: has front matter that is not valid YAML/],
    ['---\n- a\n---\ntext', /^notes\/Deploys\.md: has front matter that is not a list of fields$/],
    [
      `---\na: &a [x]\nb: &b [${'*a,'.repeat(60)}x]\nc: [${'*b,'.repeat(60)}x]\n---\ntext`,
      /: has front matter with too many YAML aliases$/,
    ],
  ])('with invalid front matter is reported: %j', async (text, problem) => {
    expect(await read(text)).toMatchObject({ entries: [], problems: [expect.stringMatching(problem)] });
  });

  it('without text is skipped', async () => {
    for (const text of ['', '---\ntitle: t\n---\n\n', ' \n'])
      expect(await read(text)).toMatchObject({ entries: [], problems: [], leftOut: [{ what: 'files without text', count: 1 }] });
  });

  it('can become one entry per section, each with its headings', async () => {
    const text = '---\ntags: [t]\n---\nintro\n\n# Guide\n\n## Install #x\nrun it #y\n\n## Empty\n\n## Use\nclick\n';
    const { entries, places, found } = await read(text, { split: 'headings' });
    expect(entries.map(({ content, tags, sourceRef }) => [content, tags, sourceRef])).toEqual([
      ['# Deploys\n\nintro', ['t'], { path: 'Deploys.md', line: 4 }],
      ['# Guide\n\n## Install #x\nrun it #y', ['t', 'x', 'y'], { path: 'Deploys.md', heading: 'Guide > Install #x', line: 8 }],
      ['# Guide\n\n## Use\nclick', ['t'], { path: 'Deploys.md', heading: 'Guide > Use', line: 13 }],
    ]);
    expect(places).toEqual([4, 8, 13].map((line) => `notes/Deploys.md:${line}`));
    expect(found).toEqual({ files: 1, sections: 3 });
  });

  it('split without a top-level heading keeps its title in each section', async () => {
    const sections = async (text: string) => (await read(text, { split: 'headings' })).entries.map(({ content }) => content);
    expect(await sections('## A\na\n## B\nb')).toEqual(['# Deploys\n\n## A\na', '# Deploys\n\n## B\nb']);
    expect(await sections('---\ntitle: T\n---\n# A\na')).toEqual(['# A\na']);
    expect(await sections('A\n=\na\n\nB\n-\nb')).toEqual(['A\n=\na', '# A\n\nB\n-\nb']);
  });
});

describe('a folder of Markdown files', () => {
  it('is read in order of names, without hidden folders, node_modules and other files', async () => {
    await using folder = await folderOf({
      'b.md': '# B\nb',
      'a/z.MARKDOWN': '# Z\nz',
      'a/a.md': '# A\na',
      '.obsidian/x.md': 'no',
      '.hidden.md': 'no',
      'node_modules/y.md': 'no',
      'a/node_modules/y.md': 'no',
      'pic.png': 'no',
      'empty.md': '',
    });
    const { format, why, entries, places, found, leftOut } = await readPath(folder.path);
    expect([format, why]).toEqual(['markdown', 'it is a folder']);
    expect(entries.map(({ content, createdAt, sourceRef }) => [content, createdAt, sourceRef?.['path']])).toEqual([
      ['# A\na', MODIFIED.toISOString(), 'a/a.md'],
      ['# Z\nz', MODIFIED.toISOString(), 'a/z.MARKDOWN'],
      ['# B\nb', MODIFIED.toISOString(), 'b.md'],
    ]);
    expect(places[0]).toBe(join(folder.path, 'a/a.md'));
    expect(found).toEqual({ files: 3 });
    expect(leftOut).toEqual([
      { what: 'files without text', count: 1, names: ['empty.md'] },
      { what: 'files that are not Markdown', count: 1, names: ['.png'] },
    ]);
  });

  it('does not follow links out of the folder or in circles', async () => {
    await using outside = await folderOf({ 'secret.md': 'secret' });
    await using folder = await folderOf({ 'a.md': '# A' });
    await symlink(join(outside.path, 'secret.md'), join(folder.path, 'file.md'));
    await symlink(outside.path, join(folder.path, 'folder'));
    await symlink(folder.path, join(folder.path, 'self'));
    await symlink('nowhere', join(folder.path, 'dangling.md'));
    const { entries, leftOut } = await readPath(folder.path);
    expect(entries.map(({ content }) => content)).toEqual(['# A']);
    expect(leftOut).toEqual([{ what: 'symbolic links', count: 4, names: ['dangling.md', 'file.md', 'folder', 'self'] }]);
    const link = join(outside.path, 'vault');
    await symlink(folder.path, link);
    expect((await readPath(link)).entries).toHaveLength(1);
  });

  it('reports files that are not UTF-8 and reads UTF-16', async () => {
    await using folder = await folderOf({
      'bad.md': Buffer.from([0x23, 0x20, 0xff, 0xc0]),
      'wide.md': Buffer.from('\uFEFF# Größe', 'utf16le'),
    });
    const { entries, problems } = await readPath(folder.path);
    expect(entries.map(({ content }) => content)).toEqual(['# Größe']);
    expect(problems).toEqual([`${join(folder.path, 'bad.md')}: is not valid UTF-8`]);
  });

  it('without Markdown, or in another format, is rejected', async () => {
    await using folder = await folderOf({ 'a.txt': 'text' });
    await expect(readPath(folder.path)).rejects.toMatchObject({ code: 'filesystem' });
    await expect(readPath(folder.path, { format: 'csv' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
