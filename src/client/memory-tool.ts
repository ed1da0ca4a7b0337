/** A handler for Anthropic's memory tool (`memory_20250818`) that stores files as entries of Lore. */
import type { Entry } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import type { MemoryOperations } from '../memory/operations/operations.ts';
import { listing, memoryPath, MEMORIES } from './memory-paths.ts';

/** Tag of entries that are files of the tool. Their container is the path. */
const TAG = 'memory-file';
/** An entry must have a text, but a file can be empty. */
const EMPTY_TAG = 'empty-file';
const EMPTY_TEXT = '(empty file)';
const MAX_LINES = 999_999;
const LINE_NUMBER_WIDTH = 6;
/** Lines shown before and after a change. */
const SNIPPET_LINES = 2;
const PAGE = 100;

/** A command of the tool: the `input` of the model's tool call. */
export type MemoryCommand =
  | { readonly command: 'view'; readonly path: string; readonly view_range?: readonly number[] | null }
  | { readonly command: 'create'; readonly path: string; readonly file_text: string }
  | { readonly command: 'str_replace'; readonly path: string; readonly old_str: string; readonly new_str?: string }
  | { readonly command: 'insert'; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: 'delete'; readonly path: string }
  | { readonly command: 'rename'; readonly old_path: string; readonly new_path: string };
type Given<C extends MemoryCommand['command']> = Omit<Extract<MemoryCommand, { command: C }>, 'command'>;

export interface MemoryToolOptions {
  /** Namespace of the files; default: the namespace of the store. */
  readonly namespace?: string;
}

/** The operations that the tool needs: a `LoreClient`, or the memories of an open app. */
export type MemoryToolStore = Pick<MemoryOperations, 'save' | 'update' | 'list'> & {
  readonly lifecycle: Pick<MemoryOperations['lifecycle'], 'forgetMany'>;
};

/** A failed command. `message` is the text for the model without the prefix `Error: `. */
export class MemoryToolError extends Error {
  /** The text in the format of the tool's reference. */
  readonly text: string;

  constructor(message: string, { isPlain = false }: { readonly isPlain?: boolean } = {}) {
    super(message);
    this.name = 'MemoryToolError';
    this.text = isPlain ? message : `Error: ${message}`;
  }
}

/**
 * The commands view, create, str_replace, insert, delete and rename under `/memories`. Each file is an entry: a change adds a version, a delete
 * archives the entry, and both can be undone. The methods fit `betaMemoryTool` of Anthropic's SDK and reject with `MemoryToolError`; `handle`
 * returns a text for every command. Commands run one after another.
 */
export class MemoryTool {
  readonly #store: MemoryToolStore;
  readonly #namespace: { readonly namespace?: string };
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: MemoryToolStore, { namespace }: MemoryToolOptions = {}) {
    this.#store = store;
    this.#namespace = namespace === undefined ? {} : { namespace };
  }

  /** Runs a command and returns the content of its tool result, also for a failed command (`isError`). */
  async handle(input: MemoryCommand): Promise<{ readonly content: string; readonly isError: boolean }> {
    try {
      return { content: await this.#run(input), isError: false };
    } catch (error) {
      if (error instanceof MemoryToolError) return { content: error.text, isError: true };
      if (error instanceof LoreError) return { content: `Error: ${error.message}`, isError: true };
      throw error;
    }
  }

  #run(input: MemoryCommand): Promise<string> {
    switch (input.command) {
      case 'view':
        return this.view(input);
      case 'create':
        return this.create(input);
      case 'str_replace':
        return this.str_replace(input);
      case 'insert':
        return this.insert(input);
      case 'delete':
        return this.delete(input);
      case 'rename':
        return this.rename(input);
      default:
        return Promise.reject(new MemoryToolError(`Unknown command: ${String((input as { command: unknown }).command)}`));
    }
  }

  view = ({ path: given, view_range: range }: Given<'view'>): Promise<string> =>
    this.#inTurn(async () => {
      const path = pathOf(given);
      const files = await this.#files();
      const file = files.find((other) => other.container === path);
      if (file !== undefined) return numbered(`Here's the content of ${given} with line numbers:`, textOf(file), given, range ?? undefined);
      const below = files.filter((other) => other.container.startsWith(`${path}/`));
      if (below.length === 0 && path !== MEMORIES) throw missing(given, { isPlain: true });
      const bytes = (entry: Entry): number => new TextEncoder().encode(textOf(entry)).length;
      return [
        `Here're the files and directories up to 2 levels deep in ${given}, excluding hidden items and node_modules:`,
        ...listing(
          path,
          below.map((entry) => ({ path: entry.container, bytes: bytes(entry) })),
        ),
      ].join('\n');
    });

  create = ({ path: given, file_text: text }: Given<'create'>): Promise<string> =>
    this.#inTurn(async () => {
      const path = pathOf(given);
      const files = await this.#files();
      if (path === MEMORIES || files.some(({ container }) => isAt(container, path)))
        throw new MemoryToolError(`File ${given} already exists`);
      const parent = files.find(({ container }) => path.startsWith(`${container}/`));
      if (parent !== undefined) throw new MemoryToolError(`The path ${parent.container} is not a directory`);
      const { content, tags } = entryOf(required(text, 'file_text'));
      await this.#store.save({ ...this.#namespace, content, tags, container: path });
      return `File created successfully at: ${given}`;
    });

  str_replace = ({ path: given, old_str: old, new_str: replacement = '' }: Given<'str_replace'>): Promise<string> =>
    this.#inTurn(async () => {
      const file = await this.#file(given, 'Please provide a valid path.');
      const text = textOf(file);
      const places = placesOf(text, required(old, 'old_str'));
      const [place] = places;
      if (place === undefined || old === '') {
        throw new MemoryToolError(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${given}.`, {
          isPlain: true,
        });
      }
      const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
      if (places.length > 1) {
        const lines = [...new Set(places.map(lineOf))].join(', ');
        throw new MemoryToolError(
          `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines}. Please ensure it is unique`,
          { isPlain: true },
        );
      }
      const changed = text.slice(0, place) + replacement + text.slice(place + old.length);
      await this.#write(file, changed);
      const line = lineOf(place);
      const range = [Math.max(1, line - SNIPPET_LINES), line + SNIPPET_LINES + replacement.split('\n').length - 1];
      return numbered(
        'The memory file has been edited. Here is the snippet showing the change (with line numbers):',
        changed,
        given,
        range,
      );
    });

  insert = ({ path: given, insert_line: at, insert_text: text }: Given<'insert'>): Promise<string> =>
    this.#inTurn(async () => {
      const file = await this.#file(given);
      const lines = textOf(file).split('\n');
      if (!Number.isInteger(at) || at < 0 || at > lines.length) {
        throw new MemoryToolError(
          `Invalid \`insert_line\` parameter: ${String(at)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        );
      }
      lines.splice(at, 0, required(text, 'insert_text').replace(/\n$/, ''));
      await this.#write(file, lines.join('\n'));
      return `The file ${given} has been edited.`;
    });

  delete = ({ path: given }: Given<'delete'>): Promise<string> =>
    this.#inTurn(async () => {
      const path = pathOf(given);
      if (path === MEMORIES) throw new MemoryToolError(`Cannot delete the ${MEMORIES} directory itself`);
      const ids = (await this.#files()).filter(({ container }) => isAt(container, path)).map(({ id }) => id);
      if (ids.length === 0) throw missing(given);
      const { token } = await this.#store.lifecycle.forgetMany({ ids });
      if (token !== undefined) await this.#store.lifecycle.forgetMany({ ids, confirm: token });
      return `Successfully deleted ${given}`;
    });

  rename = ({ old_path: from, new_path: to }: Given<'rename'>): Promise<string> =>
    this.#inTurn(async () => {
      const [oldPath, newPath] = [pathOf(from), pathOf(to)];
      if (oldPath === MEMORIES) throw new MemoryToolError(`Cannot rename the ${MEMORIES} directory itself`);
      const files = await this.#files();
      const moved = files.filter(({ container }) => isAt(container, oldPath));
      if (moved.length === 0) throw missing(from);
      const isTaken = newPath === MEMORIES || files.some(({ container }) => isAt(container, newPath));
      if (isTaken) throw new MemoryToolError(`The destination ${to} already exists`);
      const isInFile = files.some(({ container }) => newPath.startsWith(`${container}/`));
      if (isInFile || newPath.startsWith(`${oldPath}/`)) throw new MemoryToolError(`The path ${to} is inside a file or inside ${from}`);
      for (const { id, container } of moved) {
        const path = pathOf(newPath + container.slice(oldPath.length));
        await this.#store.update(id, { container: path });
      }
      return `Successfully renamed ${from} to ${to}`;
    });

  /** Runs commands one after another, so that no edit overwrites another. */
  #inTurn(work: () => Promise<string>): Promise<string> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #files(): Promise<Entry[]> {
    const files: Entry[] = [];
    for (;;) {
      const page = await this.#store.list({ ...this.#namespace, tags: [TAG], limit: PAGE, offset: files.length, sort: 'createdAt' });
      files.push(...page.entries);
      if (page.entries.length === 0 || files.length >= page.total) return files;
    }
  }

  /** The file at a path. Rejects if there is none or the path is a directory. */
  async #file(given: string, more?: string): Promise<Entry> {
    const path = pathOf(given);
    const page = await this.#store.list({ ...this.#namespace, tags: [TAG], container: path, limit: 1 });
    const [file] = page.entries;
    if (file === undefined) throw missing(given, { more });
    return file;
  }

  async #write(file: Entry, text: string): Promise<void> {
    const { content, tags } = entryOf(text);
    const kept = file.tags.filter((tag) => tag !== EMPTY_TAG && tag !== TAG);
    await this.#store.update(file.id, { content, tags: [...tags, ...kept] });
  }
}

function pathOf(given: unknown): string {
  const read = memoryPath(given);
  if ('fault' in read) throw new MemoryToolError(read.fault);
  return read.path;
}

/** Throws if the model left out a required parameter. */
function required(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new MemoryToolError(`Missing required parameter: ${name}`);
}

/** Whether a file is at a path or below it. */
const isAt = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

function missing(
  given: string,
  { more, isPlain = false }: { readonly more?: string | undefined; readonly isPlain?: boolean } = {},
): MemoryToolError {
  const advice = isPlain ? 'Please provide a valid path.' : more;
  return new MemoryToolError(`The path ${given} does not exist${advice === undefined ? '' : `. ${advice}`}`, { isPlain });
}

const textOf = ({ content, tags }: Entry): string => (tags.includes(EMPTY_TAG) ? '' : content);

/** Content and tags of a file's entry. Blank text is stored as a placeholder, because an entry must have text. */
function entryOf(text: string): { readonly content: string; readonly tags: string[] } {
  return text.trim() === '' ? { content: EMPTY_TEXT, tags: [TAG, EMPTY_TAG] } : { content: text, tags: [TAG] };
}

/** The offsets of a text in another. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  if (part === '') return places;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

/** Numbered lines, from 1. `range` is the first and the last line; -1 means the end. */
function numbered(heading: string, text: string, path: string, range?: readonly number[]): string {
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) throw new MemoryToolError(`File ${path} exceeds maximum line limit of 999,999 lines.`, { isPlain: true });
  const [from = 1, to = -1] = range ?? [];
  const first = Math.max(1, from);
  const shown = lines.slice(first - 1, to === -1 ? undefined : to);
  return [heading, ...shown.map((line, at) => `${String(first + at).padStart(LINE_NUMBER_WIDTH)}\t${line}`)].join('\n');
}
