import { extname } from 'node:path';
import { Findings, type LeftOut } from '../../../src/sources/readers/findings.ts';
import type { FormatName } from '../../../src/cli/import-formats/format.ts';
import type { EntryLine } from '../../../src/sources/readers/markdown-note.ts';
import { chooseFormat } from '../../../src/cli/import-formats/formats.ts';
import { inputOf, openInput, type Input } from '../../../src/cli/import-formats/input.ts';

export interface ReadText {
  readonly format: FormatName;
  readonly why: string;
  readonly isSure: boolean;
  /** What would be sent to the import, in order, without what the reader refuses and what is not JSON. */
  readonly entries: readonly EntryLine[];
  /** Where each of them stands. */
  readonly places: readonly string[];
  /** `place: problem` of what the reader refuses. */
  readonly problems: readonly string[];
  readonly found: Readonly<Record<string, number>>;
  readonly leftOut: readonly LeftOut[];
}

export interface ReadTextOptions {
  /** Default standard input. */
  readonly name?: string;
  readonly format?: FormatName | 'auto';
  readonly namespace?: string;
  readonly split?: 'headings';
  /** Bytes that come at once; default all. */
  readonly pieces?: number;
}

/** Recognises and reads a text as `lore import` does, as far as the lines that it sends. */
export async function readText(text: string | Uint8Array, options: ReadTextOptions = {}): Promise<ReadText> {
  const { name = 'standard input', pieces } = options;
  await using input = await inputOf({ name, extension: extname(name).toLowerCase(), bytes: undefined, chunks: chunksOf(text, pieces) });
  return await readInput(input, options);
}

/** The same for a file or folder on the disk. */
export async function readPath(path: string, options: ReadTextOptions = {}): Promise<ReadText> {
  await using input = await openInput(path);
  return await readInput(input, options);
}

async function* chunksOf(text: string | Uint8Array, size = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function readInput(input: Input, { format: named = 'auto', namespace, split }: ReadTextOptions): Promise<ReadText> {
  const { format, why, isSure } = chooseFormat(input, named);
  const findings = new Findings();
  const reading = format.read(input, { namespace, split, findings });
  const sent: Uint8Array[] = [];
  for await (const chunk of reading.chunks) sent.push(chunk);
  const lines = Buffer.concat(sent)
    .toString()
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const all = lines.map((line, at) => ({ line, place: reading.place(at + 1), problem: reading.problem(at + 1) }));
  const good = all.filter(({ line, problem }) => problem === undefined && isJson(line));
  return {
    format: format.name,
    why,
    isSure,
    entries: good.map(({ line }) => JSON.parse(line) as EntryLine),
    places: good.map(({ place }) => place),
    problems: all.flatMap(({ place, problem }) => (problem === undefined ? [] : [`${place}: ${problem}`])),
    found: findings.found,
    leftOut: findings.leftOut,
  };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
