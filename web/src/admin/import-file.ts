import { isRecord } from '../../../src/sources/readers/json-record.ts';

/** Bytes that are enough to recognize the format of a file. */
const BEGINNING_BYTES = 64 * 1024;
const GZIP = [0x1f, 0x8b];

/** Where a JSON document of Lore has its memories. */
const LISTS = ['entries', 'memories', 'results'];
/** Field names of other stores. The command imports their files. */
const FOREIGN = ['content_hash', 'memory_type'];

/** Decompresses a file and gives its memories as JSON Lines; undefined if it contains neither lines nor a list of memories. */
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
  // A search result contains its memory next to its score.
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

/** Judges by the first line that is not blank. A very long line is judged by its beginning. */
async function holdsObjects(lines: Blob): Promise<boolean> {
  const beginning = (await lines.slice(0, BEGINNING_BYTES).text()).replace(/^\ufeff/, '').trimStart();
  if (!beginning.startsWith('{')) return false;
  const [first = '', ...others] = beginning.split('\n');
  if (others.length === 0 && lines.size > BEGINNING_BYTES) return true;
  try {
    const object: unknown = JSON.parse(first);
    return !isRecord(object) || !LISTS.some((key) => Array.isArray(object[key]));
  } catch {
    // The server reports invalid lines. But if the first object continues on the next line, the file has another format.
    return first.trimEnd().endsWith('}');
  }
}
