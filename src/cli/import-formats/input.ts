import { open, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LoreError } from '../../memory/errors.ts';
import { jsonValue } from '../../sources/readers/json-text.ts';
import { viewFolder, type FolderView } from './folder-view.ts';
import { asUtf8, utf8Text } from './text-encoding.ts';

/** A folder; JSON values line by line; one JSON value; anything else. */
type Shape = 'folder' | 'lines' | 'document' | 'text';

/** The input of an import, opened and examined, but not read yet. */
export interface Input extends AsyncDisposable {
  /** As the user wrote it. */
  readonly name: string;
  /** Lower case, with its dot; empty if there is none. */
  readonly extension: string;
  readonly shape: Shape;
  /** The beginning of the text: at least its first line. */
  readonly start: string;
  /** The JSON value of the first line, or the whole document; undefined if there is none. */
  readonly first: unknown;
  /** For a folder: its file names and the beginnings of the first files. */
  readonly folder?: FolderView | undefined;
  /** Size of the file; undefined for standard input and folders. */
  readonly bytes: number | undefined;
  /** The bytes as UTF-8; can be read once, and not after `text`. */
  chunks(): AsyncIterable<Uint8Array>;
  /** The whole text. Rejects with `invalid_input` if it is not UTF-8 or too large for memory. */
  text(): Promise<string>;
}

/** How much of a text file is examined. */
const SAMPLE_BYTES = 4096;
/** Largest input that must be held in memory as a whole. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
/** First bytes of a gzip file. */
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Keys under which other stores keep their list of entries. */
const LISTS = ['entries', 'memories', 'results', 'observations', 'summaries', 'entities', 'items', 'edges', 'facts', 'nodes', 'episodes'];
/** Names of files that are text even if they begin like JSON. */
const TEXT_FILES = new Set(['.csv', '.tsv', '.md', '.markdown', '.mdc']);

/**
 * Opens the file, folder or standard input (`-`). Called before the store is opened, so that a wrong name fails early. Rejects with
 * `filesystem`.
 */
export async function openInput(name: string): Promise<Input> {
  if (name === '-')
    return await inputOf({ name: 'standard input', extension: '', bytes: undefined, chunks: unzipped(process.stdin, name) });
  const refuse = (cause: NodeJS.ErrnoException): never => {
    const reason = { ENOENT: 'it does not exist', EACCES: 'access is denied' }[cause.code ?? ''] ?? cause.code;
    throw new LoreError('filesystem', `${name} cannot be read: ${reason}.`, { cause });
  };
  const stats = await stat(name).catch(refuse);
  if (stats.isDirectory()) return folderInput(name, await viewFolder(name).catch(refuse));
  if (/\.zip$/i.test(name)) return await packedInput(name, await readFile(name).catch(refuse));
  const file = await open(name).catch(refuse);
  const isZipped = /\.gz$/i.test(name);
  return await inputOf({
    name,
    extension: extname(isZipped ? name.slice(0, -'.gz'.length) : name).toLowerCase(),
    // The size of its contents is unknown before it is read.
    bytes: stats.isFile() && !isZipped ? stats.size : undefined,
    chunks: unzipped(file.createReadStream(), name),
  });
}

/** The file with all data in an archive of OpenMemory. */
const PACKED = /(?:^|\/)memories\.json$/;

/** The memories of an archive. Rejects with `invalid_input` if it has none, or is damaged. */
async function packedInput(name: string, bytes: Uint8Array): Promise<Input> {
  const { filesInZip } = await import('../../sources/readers/zip.ts');
  const file = (await filesInZip(bytes, name)).find((packed) => PACKED.test(packed.name));
  if (file === undefined) {
    throw new LoreError('invalid_input', `${name} is an archive without memories.json, so not an export of OpenMemory.`, {
      hint: 'Unpack it, and name the folder or file in it.',
    });
  }
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield await file.bytes(MAX_TEXT_BYTES);
  };
  return await inputOf({ name, extension: '.json', bytes: undefined, chunks: chunks() });
}

/**
 * Decompresses a gzip file, detected by its first bytes; other data passes unchanged. The stream rejects with `invalid_input` if it is
 * damaged.
 */
async function* unzipped(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => source };
  let start = Buffer.alloc(0);
  try {
    while (start.length < GZIP.length) {
      const next = await source.next();
      if (next.done === true) break;
      start = Buffer.concat([start, next.value]);
    }
    if (!start.subarray(0, GZIP.length).equals(GZIP)) {
      if (start.length > 0) yield start;
      yield* rest;
      return;
    }
    const whole = async function* (): AsyncGenerator<Uint8Array> {
      yield start;
      yield* rest;
    };
    yield* gunzipped(whole(), name);
  } finally {
    await source.return?.();
  }
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  Readable.from(chunks)
    .once('error', (error) => gunzip.destroy(error))
    .pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    if (!String((cause as NodeJS.ErrnoException).code).startsWith('Z_')) throw cause;
    throw new LoreError('invalid_input', `${name} is damaged: it begins like a gzip file and cannot be decompressed.`, { cause });
  }
}

function folderInput(name: string, folder: FolderView): Input {
  const unreadable = (): never => {
    throw new LoreError('filesystem', `${name} cannot be read: it is a folder.`);
  };
  return {
    name,
    extension: '',
    shape: 'folder',
    folder,
    start: '',
    first: undefined,
    bytes: undefined,
    chunks: unreadable,
    text: unreadable,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface Source {
  readonly name: string;
  readonly extension: string;
  readonly bytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Examines the beginning of a stream. A JSON document is read completely. */
export async function inputOf(source: Source): Promise<Input> {
  const { name, extension, bytes } = source;
  const stream = new HeldStream(asUtf8(source.chunks, name), name);
  const start = await stream.start();
  const input = {
    name,
    extension,
    bytes,
    start,
    chunks: () => stream.chunks(),
    text: () => stream.text(),
    [Symbol.asyncDispose]: () => stream.close(),
  };
  const shape = shapeOf(start);
  if (shape !== 'document') return { ...input, shape, first: shape === 'lines' ? jsonValue(firstLine(start)) : undefined };
  const document = jsonValue(await stream.text());
  return { ...input, shape: document === undefined && TEXT_FILES.has(extension) ? 'text' : 'document', first: document };
}

function shapeOf(start: string): Shape {
  const text = start.trimStart();
  if (text.startsWith('[')) return 'document';
  if (!text.startsWith('{')) return 'text';
  const line = firstLine(text);
  const value = jsonValue(line);
  // The first line of a multi-line JSON document ends after a bracket, a comma or a colon; a damaged entry does not.
  if (value === undefined) return /[[{,:]\s*$/.test(line) ? 'document' : 'lines';
  const record = value as Record<string, unknown>;
  const holdsList = LISTS.some((key) => typeof record[key] === 'object' && record[key] !== null);
  return holdsList && !('content' in record) && typeof record['type'] !== 'string' ? 'document' : 'lines';
}

function firstLine(start: string): string {
  const text = start.trimStart();
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** A stream whose beginning was already read. */
class HeldStream {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #name: string;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #ended = false;
  #text: Promise<string> | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>, name: string) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#name = name;
  }

  /** At least the first line that is not blank, unless it has no end; if it does not begin like JSON, `SAMPLE_BYTES`. */
  async start(): Promise<string> {
    let isBroken = false;
    let first: number | undefined;
    while (!this.#ended && this.#heldBytes <= MAX_TEXT_BYTES) {
      const chunk = await this.#more();
      if (chunk === undefined) break;
      const at = first === undefined ? chunk.findIndex((byte) => byte > 0x20) : 0;
      if (at === -1) continue;
      first ??= chunk[at];
      isBroken ||= chunk.indexOf(NEWLINE, at) !== -1;
      const likeJson = first === 0x5b || first === 0x7b;
      if (first === 0x5b || (isBroken && (likeJson || this.#heldBytes >= SAMPLE_BYTES))) break;
    }
    return new TextDecoder().decode(Buffer.concat(this.#held), { stream: true });
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.#text !== undefined) {
      yield Buffer.from(await this.#text);
      return;
    }
    yield* this.#held.splice(0);
    for (let chunk = await this.#more(); chunk !== undefined; chunk = await this.#more()) yield* this.#held.splice(0);
  }

  text(): Promise<string> {
    this.#text ??= this.#readAll();
    return this.#text;
  }

  async #readAll(): Promise<string> {
    while (!this.#ended && this.#heldBytes <= MAX_TEXT_BYTES) await this.#more();
    if (this.#heldBytes > MAX_TEXT_BYTES) {
      throw new LoreError(
        'invalid_input',
        `${this.#name} is larger than ${MAX_TEXT_BYTES / 1024 / 1024} MB, the limit for files that are read as a whole.`,
        {
          hint: 'Convert it to JSON Lines, one entry per line: those may have any length.',
        },
      );
    }
    const text = utf8Text(Buffer.concat(this.#held.splice(0)));
    if (text === undefined) throw new LoreError('invalid_input', `${this.#name} is not valid UTF-8.`);
    return text;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #more(): Promise<Uint8Array | undefined> {
    const next = await this.#source.next();
    this.#ended = next.done === true;
    if (next.done === true) return undefined;
    this.#held.push(next.value);
    this.#heldBytes += next.value.length;
    return next.value;
  }
}
