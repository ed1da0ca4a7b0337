import { basename, extname, join } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { dateOf, importanceOf, priorityOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { hasFrontMatter, partFrontMatter } from '../../sources/readers/front-matter.ts';
import type { JsonRecord } from '../../sources/readers/json-record.ts';
import { leadingHeading, sectionsOf, tagsIn } from '../../sources/readers/markdown-text.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Format, Item, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { markdownFiles } from './markdown-folder.ts';

/** Front matter that is taken over. */
const FIELDS = {
  title: ['title'],
  tags: ['tags', 'tag', 'keywords'],
  namespace: ['namespace', 'project'],
  container: ['container'],
  priority: ['priority'],
  importance: ['importance'],
  createdAt: ['date', 'created', 'createdAt', 'created_at'],
  updatedAt: ['updated', 'modified', 'updatedAt', 'updated_at'],
} as const satisfies Record<string, readonly string[]>;
const TAKEN: ReadonlySet<string> = new Set(Object.values(FIELDS).flat());
/** File names that say nothing about what is in the file. */
const NAMELESS = /^(?:readme|index)$/i;

/** Markdown files: a folder of them, such as an Obsidian vault, or one. A file is an entry, or each of its sections is. */
export const markdown: Format = {
  name: 'markdown',
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

interface Note {
  /** Below the folder; undefined for standard input. */
  readonly path: string | undefined;
  readonly text: string;
  readonly place: string;
  readonly modifiedMs?: number;
}

async function* noteItems({ path, text, place, modifiedMs }: Note, options: ReadOptions): AsyncGenerator<Item> {
  const { findings, split } = options;
  const parted = await partFrontMatter(text);
  if (typeof parted === 'string') {
    yield { place, problem: parted };
    return;
  }
  if (parted.body.trim() === '') {
    findings.leaveOut('files without text', path ?? place);
    return;
  }
  findings.count('files');
  for (const field of Object.keys(parted.fields)) if (!TAKEN.has(field)) findings.leaveOut('front matter fields', field);
  const facts = factsOf(parted.fields, options);
  const title = textOf(parted.fields['title'])?.trim();
  const createdAt = facts.createdAt ?? (modifiedMs === undefined ? undefined : new Date(modifiedMs).toISOString());
  const entry = (content: string, own: string, where: object): EntryLine => ({
    ...facts,
    createdAt,
    content,
    tags: tagsOf([...frontTags(parted.fields), ...tagsIn(own)], findings),
    sourceRef: referenceOf({ path, title, ...where }),
  });
  const heading = title ?? nameOf(path);
  if (split === undefined) {
    yield { place, entry: entry(titled(heading, parted.body, title !== undefined), parted.body, {}) };
    return;
  }
  for (const section of sectionsOf(parted.body)) {
    if (section.isEmpty) continue;
    findings.count('sections');
    const line = parted.line + section.line - 1;
    const where = { heading: section.headings.join(' > '), line };
    yield { place: `${place}:${line}`, entry: entry(inContext(section, heading, title !== undefined), section.text, where) };
  }
}

/** The name of a file as a title, where it says anything. */
function nameOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const name = basename(path, extname(path));
  return NAMELESS.test(name) ? undefined : name;
}

/** The text under its title, where it does not begin with that itself; a title that is the name of the file gives way to any heading. */
function titled(title: string | undefined, body: string, isGiven: boolean): string {
  const text = body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const heading = leadingHeading(text)?.title;
  const saysIt = heading === title || (heading !== undefined && !isGiven);
  return title === undefined || saysIt ? text : `# ${title}\n\n${text}`;
}

/** A section of the second level makes sense under the heading above it, or the title. */
function inContext(
  section: { readonly headings: readonly string[]; readonly text: string },
  title: string | undefined,
  isGiven: boolean,
): string {
  if (section.headings.length === 0) return titled(title, section.text, isGiven);
  const text = section.text.trimEnd();
  const above = section.headings.length > 1 ? section.headings[0] : leadingHeading(text)?.level === 1 ? undefined : title;
  return above === undefined || above === '' ? text : `# ${above}\n\n${text}`;
}

function factsOf(fields: JsonRecord, { namespace, findings }: ReadOptions): Omit<EntryLine, 'content'> {
  const value = (names: readonly string[]): unknown =>
    names.map((name) => fields[name]).find((found) => found !== undefined && found !== null);
  return {
    namespace: namespace === undefined ? textOf(value(FIELDS.namespace))?.trim() : undefined,
    container: textOf(value(FIELDS.container))?.trim(),
    priority: priorityOf(value(FIELDS.priority), findings),
    importance: importanceOf(value(FIELDS.importance), findings),
    createdAt: dateOf(value(FIELDS.createdAt), findings),
    updatedAt: dateOf(value(FIELDS.updatedAt), findings),
  };
}

/** A list, or words with commas or blanks between them. */
function frontTags(fields: JsonRecord): string[] {
  return FIELDS.tags.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && !/[,;[]/.test(value) ? value.split(/\s+/) : textsOf(value);
  });
}
