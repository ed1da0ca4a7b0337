import { isRecord } from '../../../src/sources/readers/json-record.ts';

/** Enough to see what a file is. */
const BEGINNING_BYTES = 64 * 1024;
const GZIP = [0x1f, 0x8b];

/** Where a JSON document of Lore keeps its memories. */
const LISTS = ['entries', 'memories', 'results'];
/** What other stores call things that Lore calls otherwise: their files are for the command, which knows them. */
const FOREIGN = ['content_hash', 'memory_type'];

/** The memories of a file, one JSON object per line, out of their compression; undefined where it holds neither lines nor a list of them. */
export async function linesOf(file: File): Promise<Blob | undefined> {
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const isGzip = GZIP.every((byte, at) => start[at] === byte);
  const lines = isGzip ? await unpacked(file) : file;
  if (lines === undefined) return undefined;
  return (await holdsObjects(lines)) ? lines : linesOfDocument(lines);
}

/** The memories of one JSON document as lines. */
async function linesOfDocument(file: Blob): Promise<Blob | undefined> {
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    return undefined;
  }
  const list = isRecord(document) ? LISTS.map((key) => (document as Record<string, unknown>)[key]).find(Array.isArray) : document;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  // A result of a search holds its memory beside its score.
  const entries: readonly unknown[] = list.map((one: unknown) => (isRecord(one) && isRecord(one['entry']) ? one['entry'] : one));
  return entries.every(isOwn) ? new Blob(entries.map((one) => `${JSON.stringify(one)}\n`)) : undefined;
}

const isOwn = (one: unknown): boolean => isRecord(one) && typeof one['content'] === 'string' && !FOREIGN.some((key) => key in one);

async function unpacked(file: File): Promise<Blob | undefined> {
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
  } catch {
    return undefined;
  }
}

/** By the first line that is not blank. One too long to be read whole counts by how it begins. */
async function holdsObjects(lines: Blob): Promise<boolean> {
  const beginning = (await lines.slice(0, BEGINNING_BYTES).text()).replace(/^\ufeff/, '').trimStart();
  if (!beginning.startsWith('{')) return false;
  const [first = '', ...others] = beginning.split('\n');
  if (others.length === 0 && lines.size > BEGINNING_BYTES) return true;
  try {
    const object: unknown = JSON.parse(first);
    return !isRecord(object) || !LISTS.some((key) => Array.isArray(object[key]));
  } catch {
    // A bad line is the server's to name, unless the first object goes on in the next line: then it is a file of another kind.
    return first.trimEnd().endsWith('}');
  }
}
