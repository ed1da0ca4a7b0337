import { constants } from 'node:fs';
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { LoreError } from '../../memory/errors.ts';
import type { Findings } from '../readers/findings.ts';
import type { FormatName } from '../readers/reader.ts';
import { checkSize, MAX_DOCUMENT_BYTES } from '../readers/readers.ts';
import { DOCUMENT_EXTENSIONS } from '../readers/recognition.ts';
import { Ignores } from '../walk/ignores.ts';
import { nameReason } from '../walk/names.ts';

/** A document to ingest, not yet read. */
export interface DocumentFile {
  /** Name as the user would write it. */
  readonly name: string;
  /** Its stored root and path, independent of how it was named; undefined if it has none, such as piped input. */
  readonly place: { readonly root: string; readonly path: string } | undefined;
  /** Lower case, with the dot; empty if there is none. */
  readonly extension: string;
  /** Whether the user named the file itself, not only its folder. */
  readonly isNamed: boolean;
  /** Set if the format is known in advance. */
  readonly format?: FormatName;
  /** Reads the file. Rejects with `filesystem`, and with `too_large` above the limit of all readers. */
  load(): Promise<Uint8Array>;
}

export interface FolderOptions {
  /** Whether to include subfolders. */
  readonly isRecursive: boolean;
  /** Patterns in the syntax of `.gitignore`; only matching files, of any kind. Empty: documents of all known kinds. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Receives the files skipped in a folder. */
  readonly findings: Findings;
}

/** The named document, or the documents of a folder, by name. Rejects with `filesystem` if it does not exist. */
export async function* documentFiles(name: string, options: FolderOptions): AsyncGenerator<DocumentFile> {
  const stats = await stat(name).catch(refuseRead(name));
  if (stats.isDirectory()) {
    yield* folderFiles(name, await realpath(name).catch(refuseRead(name)), options);
    return;
  }
  const extension = extname(name).toLowerCase();
  const load = async (): Promise<Uint8Array> => await contentOf(name, name);
  if (!stats.isFile()) {
    yield { name, place: undefined, extension, isNamed: true, load };
    return;
  }
  const path = await realpath(name).catch(refuseRead(name));
  yield { name, place: { root: dirname(path), path: basename(path) }, extension, isNamed: true, load };
}

interface Folder {
  /** Name as the user would write it. */
  readonly name: string;
  /** Path relative to the named folder, with `/`; empty for the folder itself. */
  readonly path: string;
}

async function* folderFiles(name: string, root: string, options: FolderOptions): AsyncGenerator<DocumentFile> {
  const choice = new FileSelection(root, options);
  const folders: Folder[] = [{ name, path: '' }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const { path: below, name: shown } = folder;
    const children = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
      if (below === '') return refuseRead(name)(error as NodeJS.ErrnoException);
      options.findings.leaveOut('folders that cannot be read', below);
      return [];
    });
    const inside: Folder[] = [];
    for (const child of children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? child.name : `${below}/${child.name}`;
      if (choice.leavesOut(path, child.isDirectory())) continue;
      const childName = join(shown, child.name);
      if (child.isSymbolicLink()) options.findings.leaveOut('symbolic links', path);
      else if (child.isDirectory()) inside.push({ name: childName, path });
      else if (child.isFile() && choice.takes(path)) yield fileIn(join(root, below), child.name, childName);
    }
    if (options.isRecursive) folders.unshift(...inside);
    else for (const { path } of inside) options.findings.leaveOut('folders', path);
  }
}

function fileIn(folder: string, file: string, name: string): DocumentFile {
  return {
    name,
    place: { root: folder, path: file },
    extension: extname(file).toLowerCase(),
    isNamed: false,
    load: async () => await contentOf(join(folder, file), name, constants.O_NOFOLLOW ?? 0),
  };
}

/** Selects the files and folders to ingest. */
class FileSelection {
  readonly #ignores: Ignores;
  readonly #include: Ignore | undefined;
  readonly #exclude: Ignore;
  readonly #findings: Findings;

  constructor(root: string, { include, exclude, findings }: FolderOptions) {
    this.#ignores = new Ignores(root);
    this.#include = include.length === 0 ? undefined : createIgnore().add([...include]);
    this.#exclude = createIgnore().add([...exclude]);
    this.#findings = findings;
  }

  leavesOut(path: string, isFolder: boolean): boolean {
    const isHidden = basename(path).startsWith('.');
    const isExcluded = this.#exclude.ignores(isFolder ? `${path}/` : path);
    if (isHidden) this.#findings.leaveOut('hidden files and folders', path);
    else if (isExcluded) this.#findings.leaveOut('paths that match --exclude', path);
    else if (this.#ignores.hasItself(path, isFolder)) this.#findings.leaveOut('paths ignored by .gitignore or .loreignore', path);
    else return false;
    return true;
  }

  takes(path: string): boolean {
    const extension = extname(path).toLowerCase();
    if (nameReason(path) === 'secret') this.#findings.leaveOut('files that may contain secrets', path);
    else if (this.#include !== undefined && !this.#include.ignores(path))
      this.#findings.leaveOut('paths that do not match --include', path);
    else if (this.#include === undefined && !DOCUMENT_EXTENSIONS.has(extension)) {
      this.#findings.leaveOut('files of other kinds', extension === '' ? basename(path) : `*${extension}`);
    } else return true;
    return false;
  }
}

async function contentOf(path: string, name: string, flags = 0): Promise<Uint8Array> {
  await using file: FileHandle = await open(path, constants.O_RDONLY | flags).catch(refuseRead(name));
  const { size } = await file.stat();
  checkSize(size, MAX_DOCUMENT_BYTES, name);
  return await readAll(file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>, name).catch((error: unknown) =>
    error instanceof LoreError ? Promise.reject(error) : refuseRead(name)(error as NodeJS.ErrnoException),
  );
}

/** All bytes of a stream. Rejects with `too_large` above the limit of all readers. */
export async function readAll(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    checkSize(bytes, MAX_DOCUMENT_BYTES, name);
  }
  return Buffer.concat(held, bytes);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a broken symbolic link',
};

/** Converts an operating system error to a LoreError. */
function refuseRead(name: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    throw new LoreError('filesystem', `${name} cannot be read: ${REASONS[cause.code ?? ''] ?? cause.code ?? 'unknown reason'}.`, { cause });
  };
}
