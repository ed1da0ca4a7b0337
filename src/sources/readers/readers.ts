import { LoreError } from '../../memory/errors.ts';
import { chatGptChatsReader } from './chatgpt-chats.ts';
import { claudeChatsReader } from './claude-chats.ts';
import { csvReader } from './csv.ts';
import { docxReader } from './docx.ts';
import { gitLogReader } from './git-log.ts';
import { htmlReader } from './html.ts';
import { jsonLinesReader } from './json-lines.ts';
import { jsonReader } from './json.ts';
import { markdownReader } from './markdown.ts';
import { pdfReader } from './pdf.ts';
import { plainTextReader } from './plain-text.ts';
import { MEGABYTE, type FormatName, type Reader, type ReaderInput, type Reading, type ReadOptions } from './reader.ts';

/** The reader of each format. */
export const READERS = {
  text: plainTextReader,
  markdown: markdownReader,
  html: htmlReader,
  json: jsonReader,
  jsonl: jsonLinesReader,
  csv: csvReader,
  pdf: pdfReader,
  docx: docxReader,
  'claude-chats': claudeChatsReader,
  'chatgpt-chats': chatGptChatsReader,
  'git-log': gitLogReader,
} as const satisfies Record<FormatName, Reader>;

/** Maximum document size of all readers, bytes. */
export const MAX_DOCUMENT_BYTES = Math.max(...Object.values(READERS).map(({ maxBytes }) => maxBytes));

/** Reads a document of a known format. Rejects as the readers do. */
export async function readAs(format: FormatName, input: ReaderInput, options: ReadOptions): Promise<Reading> {
  const reader: Reader = READERS[format];
  checkSize(input.bytes.length, reader.maxBytes, input.name);
  try {
    return await reader.read(input, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new LoreError('invalid_input', `${input.name} is nested too deeply to be read.`, { cause: error });
  }
}

/** Throws `too_large` for a document of more bytes than the limit. */
export function checkSize(bytes: number, limit: number, name: string): void {
  if (bytes <= limit) return;
  throw new LoreError('too_large', `${name} is larger than ${Math.floor(limit / MEGABYTE)} MB.`, {
    hint: 'Split it into smaller files, or ingest only the relevant part.',
  });
}
