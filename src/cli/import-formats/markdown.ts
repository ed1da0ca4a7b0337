import { basename, join } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { hasFrontMatter } from '../../sources/readers/front-matter.ts';
import { entryLines } from './entry-lines.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { markdownFiles } from './markdown-folder.ts';
import { noteItems, type Item } from '../../sources/readers/markdown-note.ts';

/** Markdown files: a folder of them, such as an Obsidian vault, or one. A file is an entry, or each of its sections is. */
export const markdown: Format = {
  name: 'markdown',
  readsFolders: true,
  unit: ['text', 'texts'],
  recognise: ({ shape, start, extension }) => {
    if (shape === 'folder') return 'it is a folder';
    if (shape !== 'text') return undefined;
    if (hasFrontMatter(start)) return 'it begins with front matter';
    if (/^\s*#{1,6}[ \t]+\S/.test(start)) return 'it begins with a heading';
    return extension === '.md' || extension === '.markdown' ? `its name ends in ${extension}` : undefined;
  },
  read: (input, options) => entryLines(input.shape === 'folder' ? folderItems(input, options) : fileItems(input, options)),
};

async function* folderItems({ name }: Input, options: ReadOptions): AsyncGenerator<Item> {
  let files = 0;
  for await (const file of markdownFiles(name, options.findings)) {
    files += 1;
    const place = join(name, file.path);
    if ('problem' in file) yield { place, problem: file.problem };
    else yield* noteItems({ ...file, place }, options);
  }
  if (files === 0) throw new LoreError('filesystem', `${name} cannot be read: it is a folder without Markdown files (.md, .markdown).`);
}

async function* fileItems(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  const path = input.extension === '' ? undefined : basename(input.name);
  yield* noteItems({ path, text: await input.text(), place: input.name }, options);
}
