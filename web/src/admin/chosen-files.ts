/** A file that was dropped or chosen. */
export interface ChosenFile {
  /** Below the dropped folder, with `/`. */
  readonly path: string;
  readonly file: File;
}

/** Kinds of files that a field offers. */
export const IMPORTED = '.jsonl,.ndjson,.json,.gz,.csv,.tsv,.md,.markdown';

/** Rows of cells, as spreadsheets write them. */
export const isTable = ({ path }: ChosenFile): boolean => /\.[ct]sv$/i.test(path);

/** Dropped or chosen files, in order. */
export interface ChosenFiles {
  /** Of the file or folder; of the first of several. */
  readonly name: string;
  /** How many came with the first. */
  readonly more: number;
  readonly files: Promise<readonly ChosenFile[]>;
}

/** More would not fit one preview; the command reads any number. */
export const MAX_FILES = 10_000;
const MAX_DEPTH = 32;

/** The files of a drop, with all files of its folders except hidden ones and node_modules. Undefined without a file. */
export function droppedFiles({ items }: DataTransfer): ChosenFiles | undefined {
  // Right away: the browser forgets a drop after its event.
  const held = [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    return file === null && entry === null ? [] : [{ entry, file }];
  });
  const [first] = held;
  if (first === undefined) return undefined;
  const read = async (): Promise<ChosenFile[]> => {
    const found: ChosenFile[] = [];
    for (const { entry, file } of held) {
      if (isFolder(entry)) await walk(entry, { below: '', depth: 0, found });
      else if (file !== null) found.push({ path: file.name, file });
    }
    return found;
  };
  return { name: first.entry?.name ?? first.file?.name ?? '', more: held.length - 1, files: read() };
}

/** The files of a field. */
export function selectedFiles(list: FileList | null): ChosenFiles | undefined {
  const files = [...(list ?? [])].map((file) => ({ path: file.name, file }));
  return files[0] && { name: files[0].path, more: files.length - 1, files: Promise.resolve(files) };
}

const isFolder = (entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry => entry?.isDirectory === true;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

interface Place {
  readonly below: string;
  readonly depth: number;
  readonly found: ChosenFile[];
}

async function walk(folder: FileSystemDirectoryEntry, { below, depth, found }: Place): Promise<void> {
  const reader = folder.createReader();
  const inside: FileSystemEntry[] = [];
  // Each call gives some of them, the last none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  for (const entry of inside.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= MAX_FILES) return;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = below + entry.name;
    if (isFolder(entry) && depth < MAX_DEPTH) await walk(entry, { below: `${path}/`, depth: depth + 1, found });
    else if (isFile(entry)) found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
  }
}
