import { basename, dirname, join, resolve } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { textOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { claudeProject, textFile } from './agent-folders.ts';
import { entryLines } from './entry-lines.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { noteItems, withQuotedFields, type Kind, type Item } from '../../sources/readers/markdown-note.ts';

const STORE = 'claude-code';
const INDEX = 'MEMORY.md';
/** A file of a memory folder, as `PROJECT/memory/FILE.md`; subfolders are allowed. */
const IN_MEMORY = /^(.*?)(?:^|\/)memory\/(?:[^/]+\/)*[^/]+\.md$/;
/** A line of the index: a link to a file next to it, and a description. */
const INDEX_LINE = /^\s*[-*]\s+\[[^\]]*\]\((?!\w+:)([^)\s]+\.md)\)/;

/**
 * The memory that Claude Code keeps for each project: `~/.claude/projects/PROJECT/memory/*.md`, with an index `MEMORY.md`. Each section
 * becomes an entry; a line of the index that only links to a file does not.
 */
export const claudeCode: Format = {
  name: STORE,
  readsFolders: true,
  unit: ['section', 'sections'],
  recognise: (input) => {
    if (input.shape !== 'folder') {
      return /\/projects\/[^/]+\/memory\/[^/]+\.md$/.test(slashed(resolve(input.name)))
        ? 'it is in a memory folder of Claude Code'
        : undefined;
    }
    const paths = input.folder?.paths ?? [];
    const isMemory = basename(resolve(input.name)) === 'memory' && paths.includes(INDEX);
    if (isMemory || paths.some((path) => /(?:^|\/)memory\/MEMORY\.md$/.test(path))) return 'it contains the auto memory of Claude Code';
    const inProjects = slashed(resolve(input.name)).includes('/.claude/projects');
    return inProjects && memoryFiles(input).length > 0 ? 'it is in the projects of Claude Code' : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, { ...options, split: 'headings' })),
};

const slashed = (path: string): string => path.replaceAll('\\', '/');

interface MemoryFile {
  /** Path on the disk. */
  readonly file: string;
  /** Path below the memory folder. */
  readonly path: string;
  readonly memoryFolder: string;
}

/** The files of every memory folder in the input, which may be one itself. */
function memoryFiles({ name, folder }: Input): MemoryFile[] {
  const root = resolve(name);
  if (folder === undefined) return [{ file: root, path: basename(root), memoryFolder: dirname(root) }];
  const isMemory = basename(root) === 'memory';
  return folder.paths.flatMap((path) => {
    if (isMemory) return path.endsWith('.md') ? [{ file: join(root, path), path, memoryFolder: root }] : [];
    const project = IN_MEMORY.exec(path)?.[1];
    if (project === undefined) return [];
    const memoryFolder = join(root, project, 'memory');
    return [{ file: join(root, path), path: path.slice(project === '' ? 'memory/'.length : `${project}/memory/`.length), memoryFolder }];
  });
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  const files = memoryFiles(input);
  if (files.length === 0) {
    throw new LoreError('invalid_input', `${input.name} has no memory of Claude Code: no file memory/*.md.`, {
      hint: 'Name ~/.claude/projects, a project in it, or its folder memory.',
    });
  }
  const kinds = new Map<string, Promise<Kind>>();
  for (const { file, path, memoryFolder } of files) {
    const kind = kinds.get(memoryFolder) ?? kindOf(memoryFolder, options);
    kinds.set(memoryFolder, kind);
    const place = input.folder === undefined ? input.name : join(input.name, file.slice(resolve(input.name).length));
    const read = await textFile(file).catch(() => undefined);
    if (read === undefined) {
      yield { place, problem: 'cannot be read' };
      continue;
    }
    const names = new Set(files.filter((other) => other.memoryFolder === memoryFolder).map((other) => other.path));
    const text = basename(path) === INDEX ? withoutIndex(read.text, names, options) : withQuotedFields(read.text, ['name', 'description']);
    if (text.trim() === '') continue;
    yield* noteItems({ path, text, place, modifiedMs: read.modifiedMs }, options, await kind);
  }
}

async function kindOf(memoryFolder: string, { findings }: ReadOptions): Promise<Kind> {
  const project = await claudeProject(dirname(memoryFolder));
  const name = basename(dirname(memoryFolder));
  if (project.folder === undefined) findings.leaveOut('projects that are not on this machine, whose path became the namespace', name);
  return {
    namespace: project.namespace,
    reference: { store: STORE, project: project.folder ?? name },
    tags: [STORE],
    fields: FIELDS,
    more: addition,
  };
}

const FIELDS = new Set(['name', 'description', 'type', 'metadata', 'originSessionId']);

/** Front matter of a memory file: name, description and type. */
function addition(fields: JsonRecord): ReturnType<NonNullable<Kind['more']>> {
  const metadata = isRecord(fields['metadata']) ? fields['metadata'] : {};
  const type = textOf(fields['type']) ?? textOf(metadata['type']);
  return {
    title: titleOf(textOf(fields['name'])?.trim()),
    written: metadata['modified'],
    lead: textOf(fields['description'])?.trim(),
    tags: type === undefined ? [] : [type],
    reference: { type },
  };
}

/** Names made for files are easier to read as words. */
const titleOf = (name: string | undefined): string | undefined =>
  name === undefined || /\s/.test(name) ? name : name.replaceAll(/[-_]+/g, ' ');

/** The index without lines that only link to imported files. Line numbers are kept, so that positions are right. */
function withoutIndex(text: string, names: ReadonlySet<string>, { findings }: ReadOptions): string {
  const lines = text.split('\n').map((line) => {
    const target = INDEX_LINE.exec(line)?.[1]?.replace(/^\.\//, '');
    if (target === undefined || !names.has(target)) return line;
    findings.leaveOut('lines of an index, whose files are imported separately', target);
    return '';
  });
  return lines.every((line) => line.trim() === '' || /^#{1,2}\s/.test(line)) ? '' : lines.join('\n');
}
