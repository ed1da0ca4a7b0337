/** Enough to see what a file is. */
const BEGINNING_BYTES = 64 * 1024;
const GZIP = [0x1f, 0x8b];

/** The lines of a file, out of their compression; undefined where it does not hold one JSON object per line. */
export async function linesOf(file: File): Promise<Blob | undefined> {
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const isGzip = GZIP.every((byte, at) => start[at] === byte);
  const lines = isGzip ? await unpacked(file) : file;
  return lines !== undefined && (await holdsObjects(lines)) ? lines : undefined;
}

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
    JSON.parse(first);
    return true;
  } catch {
    // A bad line is the server's to name, unless the first object goes on in the next line: then it is a file of another kind.
    return first.trimEnd().endsWith('}');
  }
}
