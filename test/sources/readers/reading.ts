import { extname } from 'node:path';
import type { FormatName, Reading, ReadOptions } from '../../../src/sources/readers/reader.ts';
import { readAs } from '../../../src/sources/readers/readers.ts';
import { recognise } from '../../../src/sources/readers/recognition.ts';

const OPTIONS: ReadOptions = { split: 'passages', size: 500, overlap: 100 };

/** Reads a document in this process, as the format that shows or as the one that is named. */
export async function reading(
  name: string,
  content: string | Uint8Array,
  { format: named, ...options }: Partial<ReadOptions> & { readonly format?: FormatName } = {},
): Promise<Reading> {
  const document = { bytes: Buffer.from(content), name, extension: extname(name).toLowerCase() };
  const { format, input } = named === undefined ? await recognise(document) : { format: named, input: document };
  return await readAs(format, input, { ...OPTIONS, ...options });
}

/** The texts of all passages. */
export const contentsOf = ({ documents }: Reading): string[] => documents.flatMap(({ passages }) => passages.map(({ content }) => content));
