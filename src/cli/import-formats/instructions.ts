import { readdir } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import { folderOf, namespaceOfFolder, textFile } from './agent-folders.ts';
import { entryLines } from './entry-lines.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { noteItems, type Item } from '../../sources/readers/markdown-note.ts';

const STORE = 'instructions';
const NAMES = new Set(['claude.md', 'claude.local.md', 'agents.md', 'agents.override.md', 'gemini.md', 'copilot-instructions.md']);
/** The section written by `lore setup` explains Lore to agents; it is not a memory. */
const OWN_BLOCK = /<!-- lore:start -->[\s\S]*?<!-- lore:end -->/g;
const COMMENT = /<!--[\s\S]*?-->/g;
/** An include of another file: `@docs/style.md` as a line or an item of a list. */
const INCLUDED = /^\s*(?:[-*]\s+)?@(\S+)\s*$/;
const MAX_DEPTH = 6;

/** Instruction files for agents: CLAUDE.md, AGENTS.md and similar. Each section becomes an entry. */
export const instructions: Format = {
  name: STORE,
  readsFolders: true,
  unit: ['section', 'sections'],
  recognise: ({ shape, name }) => (shape === 'text' && isInstructions(name) ? `its name is ${basename(name)}` : undefined),
  read: (input, options) => entryLines(itemsOf(input, { ...options, split: 'headings' })),
};

const isInstructions = (path: string): boolean => NAMES.has(basename(path).toLowerCase());

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  if (input.shape !== 'folder') {
    const stats = await textFile(input.name).catch(() => undefined);
    yield* fileItems(
      { path: basename(input.name), place: input.name, text: await input.text(), modifiedMs: stats?.modifiedMs },
      input,
      options,
    );
    return;
  }
  const files = await instructionFiles(input.name);
  if (files.length === 0) {
    throw new LoreError('invalid_input', `${input.name} has no CLAUDE.md, AGENTS.md or similar file.`, {
      hint: 'Name the folder of a project, or the file.',
    });
  }
  for (const file of files) {
    const place = join(input.name, relative(resolve(input.name), file));
    const read = await textFile(file).catch(() => undefined);
    if (read === undefined) yield { place, problem: 'cannot be read' };
    else yield* fileItems({ path: relative(resolve(input.name), file).replaceAll('\\', '/'), place, ...read }, { name: file }, options);
  }
}

interface InstructionFile {
  readonly path: string;
  readonly place: string;
  readonly text: string;
  readonly modifiedMs: number | undefined;
}

async function* fileItems(file: InstructionFile, { name }: Pick<Input, 'name'>, options: ReadOptions): AsyncGenerator<Item> {
  for (const line of file.text.split('\n')) {
    const included = INCLUDED.exec(line.trimEnd())?.[1];
    if (included !== undefined) options.findings.leaveOut('files included by @, to be imported separately', included);
  }
  const isSilent = (part: string): string => part.replaceAll(/[^\n]/g, '');
  const text = file.text.replaceAll(OWN_BLOCK, isSilent).replaceAll(COMMENT, isSilent);
  if (text.trim() === '') return;
  const namespace = name === 'standard input' ? undefined : await namespaceOfFolder(folderOf(name));
  yield* noteItems({ ...file, text }, options, {
    namespace,
    tags: [STORE],
    reference: { store: STORE },
  });
}

/** Every such file of a project, by path, except those of packages and hidden folders other than `.claude` and `.github`. */
async function instructionFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isFile() && isInstructions(entry.name)) found.push(path);
      const isOpen = !entry.name.startsWith('.') || entry.name === '.claude' || entry.name === '.github';
      if (entry.isDirectory() && isOpen && entry.name !== 'node_modules' && depth < MAX_DEPTH) await look(path, depth + 1);
    }
  };
  await look(resolve(root), 1);
  return found;
}
