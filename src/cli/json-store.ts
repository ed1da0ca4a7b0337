import { LoreError } from '../memory/errors.ts';

/** Keys under which other stores keep the list of their entries. */
const LISTS = ['entries', 'memories', 'results'] as const;

/**
 * Passes JSON Lines on as they are, and turns a whole JSON document (an array of entries, or an object that holds one, such as the store
 * file of a JSON-backed memory server) into lines. Only a document is read into memory. Rejects with `invalid_input` where it is neither.
 */
export async function* asJsonLines(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let kind: 'lines' | 'document' | undefined;
  for await (const chunk of chunks) {
    if (kind === 'lines') yield chunk;
    else held.push(chunk);
    if (kind !== undefined) continue;
    kind = kindOf(Buffer.concat(held));
    if (kind === 'lines') yield* held.splice(0);
  }
  if (kind === 'lines') return;
  const text = Buffer.concat(held).toString('utf8');
  if (kind === 'document' || isDocument(text)) yield* documentLines(text, name);
  else yield Buffer.from(text);
}

/** Undefined until the first line is complete. */
function kindOf(start: Buffer): 'lines' | 'document' | undefined {
  const text = start.toString('utf8').replace(/^\uFEFF?\s+/, '');
  if (text.startsWith('[')) return 'document';
  const end = text.indexOf('\n');
  if (end === -1) return undefined;
  return isDocument(text.slice(0, end)) ? 'document' : 'lines';
}

/** Whether a first line begins, or is, a document rather than an entry. */
function isDocument(line: string): boolean {
  if (/^\s*\{\s*$/.test(line)) return true;
  try {
    const record = Object(JSON.parse(line)) as Record<string, unknown>;
    return Array.isArray(record) || (!('content' in record) && LISTS.some((key) => key in record));
  } catch {
    return false;
  }
}

function* documentLines(text: string, name: string): Generator<Uint8Array> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new LoreError('invalid_input', `${name} is not valid JSON.`, { cause });
  }
  for (const entry of entriesOf(value, name)) yield Buffer.from(`${JSON.stringify(entry)}\n`);
}

function entriesOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const record = Object(value) as Record<string, unknown>;
  const list = LISTS.map((key) => record[key]).find((candidate) => typeof candidate === 'object' && candidate !== null);
  if (Array.isArray(list)) return list;
  if (list !== undefined) return Object.values(list);
  throw new LoreError('invalid_input', `${name} holds no list of entries.`, {
    hint: `Lore reads an array, or one under ${LISTS.join(', ')}.`,
  });
}
