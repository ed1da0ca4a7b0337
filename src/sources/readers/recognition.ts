import { LoreError } from '../../memory/errors.ts';
import { isChatGptChat } from './chatgpt-chats.ts';
import { isClaudeChat } from './claude-chats.ts';
import { hasFrontMatter } from './front-matter.ts';
import { isGitLog } from './git-log.ts';
import { jsonValue } from './json-text.ts';
import { MEGABYTE, type FormatName, type ReaderInput } from './reader.ts';
import { headerOf } from './table-header.ts';
import { sampleText } from './text-decoding.ts';
import { filesInZip, isZip, type PackedFile } from './zip.ts';

/** Bytes examined to recognize a document. */
const SAMPLE_BYTES = 64 * 1024;
/** Some programs write a few lines before the PDF signature. */
const PDF_MARK_WITHIN = 1024;
/** File name of a chat export in an archive. */
const CHATS = 'conversations.json';
const MAX_CHATS_BYTES = 256 * MEGABYTE;

/** Format by extension; contradicting content takes precedence. */
const BY_EXTENSION: Readonly<Record<string, FormatName>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.txt': 'text',
  '.text': 'text',
  '.rst': 'text',
  '.adoc': 'text',
  '.org': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.pdf': 'pdf',
  '.docx': 'docx',
};

/** Extensions of files to ingest from folders. */
export const DOCUMENT_EXTENSIONS: ReadonlySet<string> = new Set(Object.keys(BY_EXTENSION));

/** A document and its format; for an archive, the document inside. */
interface Recognised {
  readonly format: FormatName;
  readonly input: ReaderInput;
}

/**
 * Recognizes the format of a document by content, then extension. Rejects with `unsupported_media_type` for unsupported kinds, with a hint,
 * and `invalid_input` if the content contradicts the extension.
 */
export async function recognise(input: ReaderInput): Promise<Recognised> {
  const { bytes, name, extension } = input;
  refuseKind(bytes, name);
  if (isZip(bytes)) return await recogniseArchive(input);
  const start = sampleText(bytes.subarray(0, SAMPLE_BYTES));
  const isPdf = start.startsWith('%PDF-') || (extension === '.pdf' && start.slice(0, PDF_MARK_WITHIN).includes('%PDF-'));
  if (isPdf) return { format: 'pdf', input };
  if (extension === '.pdf' || extension === '.docx') {
    const kind = extension === '.pdf' ? 'PDF' : 'Word document';
    throw new LoreError('invalid_input', `${name} is damaged: it is not a complete ${kind}.`);
  }
  return { format: textFormat(input, start), input };
}

/** Signatures of unsupported kinds. */
const KINDS: readonly (readonly [bytes: readonly number[], kind: string, hint: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'is an Office file in the old format, or is protected by a password',
    'Save it as .docx, .pdf or .csv without a password.',
  ],
  [[0x1f, 0x8b], 'is compressed with gzip', 'Unpack it first.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'is a 7z archive', 'Unpack it first.'],
  [[0x52, 0x61, 0x72, 0x21], 'is a RAR archive', 'Unpack it first.'],
  [[0x89, 0x50, 0x4e, 0x47], 'is an image', 'Text recognition (OCR) makes text of it.'],
  [[0xff, 0xd8, 0xff], 'is an image', 'Text recognition (OCR) makes text of it.'],
  [[0x47, 0x49, 0x46, 0x38], 'is an image', 'Text recognition (OCR) makes text of it.'],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], 'is rich text (RTF)', 'Save it as .docx or .txt.'],
];

function refuseKind(bytes: Uint8Array, name: string): void {
  for (const [first, kind, hint] of KINDS) {
    if (first.every((byte, at) => bytes[at] === byte)) throw new LoreError('unsupported_media_type', `${name} ${kind}.`, { hint });
  }
}

/** Unsupported document kinds that are archives, by a file that each contains. */
const ARCHIVES: readonly (readonly [file: RegExp, kind: string, hint: string])[] = [
  [/^xl\/workbook\./, 'is a spreadsheet', 'Save its sheets as CSV.'],
  [/^ppt\/presentation\./, 'is a presentation', 'Save it as PDF.'],
  [/^META-INF\/container\.xml$/, 'is an e-book (EPUB)', 'Convert it to HTML or text.'],
  [/^content\.xml$/, 'is an OpenDocument file', 'Save it as .docx, .pdf or .csv.'],
];

async function recogniseArchive(input: ReaderInput): Promise<Recognised> {
  const { bytes, name } = input;
  const files = await filesInZip(bytes, name);
  if (files.some((file) => file.name === 'word/document.xml')) return { format: 'docx', input };
  const chats = files.find((file) => file.name === CHATS || file.name.endsWith(`/${CHATS}`));
  if (chats !== undefined) return await recogniseChats(chats, name);
  for (const [file, kind, hint] of ARCHIVES) {
    if (files.some((each) => file.test(each.name))) throw new LoreError('unsupported_media_type', `${name} ${kind}.`, { hint });
  }
  throw new LoreError('unsupported_media_type', `${name} is a ZIP archive without ${CHATS}.`, { hint: 'Unpack it first.' });
}

async function recogniseChats(chats: PackedFile, archive: string): Promise<Recognised> {
  const input = { bytes: await chats.bytes(MAX_CHATS_BYTES), name: `${archive} (${chats.name})`, extension: '.json' };
  return { format: textFormat(input, sampleText(input.bytes.subarray(0, SAMPLE_BYTES))), input };
}

function textFormat({ bytes, extension }: ReaderInput, start: string): FormatName {
  const promised = BY_EXTENSION[extension];
  if ((promised === undefined || promised === 'text') && isGitLog(start)) return 'git-log';
  const mayBeJson = promised === undefined || promised === 'json';
  if (mayBeJson && /^\s*[[{]/.test(start)) {
    const json = jsonFormat(bytes, start, promised === 'json');
    if (json !== undefined) return json;
  }
  return promised ?? markedFormat(start);
}

/** Undefined if the text only begins like JSON. */
function jsonFormat(bytes: Uint8Array, start: string, isPromised: boolean): FormatName | undefined {
  if (
    /"chat_messages"\s*:\s*\[/.test(start) ||
    (/"mapping"\s*:\s*\{/.test(start) && /"(?:parent|current_node|children)"\s*:/.test(start))
  ) {
    const chats = chatFormat(bytes);
    if (chats !== undefined) return chats;
  }
  const [first = '', second = ''] = start.trimStart().split('\n', 2);
  const isLines = jsonValue(first) !== undefined && /^\s*[[{]/.test(second);
  if (isLines) return 'jsonl';
  return isPromised || jsonValue(sampleText(bytes)) !== undefined ? 'json' : undefined;
}

/** Field names may occur in any text: checks the first conversation. */
function chatFormat(bytes: Uint8Array): FormatName | undefined {
  const value = jsonValue(sampleText(bytes));
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (isClaudeChat(first)) return 'claude-chats';
  return isChatGptChat(first) ? 'chatgpt-chats' : undefined;
}

/** The format of a text without a telling name. */
function markedFormat(start: string): FormatName {
  if (/^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<(?:!doctype html|html)\b/i.test(start)) return 'html';
  if (hasFrontMatter(start) || /^\s*#{1,6}[ \t]+\S/.test(start)) return 'markdown';
  const { columns } = headerOf(start);
  return columns.at.content !== undefined && Object.keys(columns.at).length > 1 ? 'csv' : 'text';
}
