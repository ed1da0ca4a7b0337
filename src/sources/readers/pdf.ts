import type { getDocumentProxy } from 'unpdf';
import { LoreError } from '../../memory/errors.ts';
import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { MEGABYTE, type Reader, type ReadOptions } from './reader.ts';
import { plainText } from './text-decoding.ts';
import { textPassages } from './text-passages.ts';

const MAX_PAGES = 5000;
/** Maximum number of characters of all pages. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Name of the parser's error for a missing password. */
const LOCKED = 'PasswordException';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reads a PDF page by page; passages do not cross pages and have the page number. */
export const pdfReader: Reader = {
  name: 'pdf',
  maxBytes: 128 * MEGABYTE,
  isolatedFrom: 0,
  read: async ({ bytes, name }, options) => {
    const pages = await pageTexts(bytes, name);
    const passages = passagesOf(pages, options);
    const empty = pages.filter((text) => text.trim() === '').length;
    if (passages.length === 0) {
      throw new LoreError('unsupported_media_type', `${name} contains no text: its pages are images.`, {
        hint: 'Run text recognition (OCR) first; it writes a PDF with text.',
      });
    }
    return {
      format: 'pdf',
      documents: [{ passages }],
      found: { pages: pages.length },
      leftOut: empty === 0 ? [] : [{ what: 'pages without text', count: empty, names: [] }],
      notes: [],
    };
  },
};

function passagesOf(pages: readonly string[], options: ReadOptions): SourcePassage[] {
  if (options.split === 'none') return textPassages(pages.join('\n\n'), options, { line: undefined });
  return pages.flatMap((text, at) =>
    textPassages(text, options, { line: undefined }).map((passage) => ({ ...passage, details: { page: at + 1 } })),
  );
}

async function pageTexts(bytes: Uint8Array, name: string): Promise<string[]> {
  const { getDocumentProxy } = await import('unpdf');
  const refuse = (error: unknown): never => {
    if (error instanceof Error && error.name === LOCKED) {
      throw new LoreError('invalid_input', `${name} is encrypted: it needs a password.`, {
        cause: error,
        hint: 'Open it, print it to a new PDF without a password, and ingest that.',
      });
    }
    throw new LoreError('invalid_input', `${name} is damaged: it is not a complete PDF.`, { cause: error });
  };
  // The parser takes ownership of the bytes: pass a copy.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, disableFontFace: true, enableXfa: false }).catch(refuse);
  try {
    if (pdf.numPages > MAX_PAGES) throw new LoreError('too_large', `${name} has ${pdf.numPages} pages; at most ${MAX_PAGES} are read.`);
    return await textsOf(pdf, name).catch((error: unknown) => (error instanceof LoreError ? Promise.reject(error) : refuse(error)));
  } finally {
    await pdf.destroy();
  }
}

async function textsOf(pdf: PdfDocument, name: string): Promise<string[]> {
  const texts: string[] = [];
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    texts.push(plainText(text));
    chars += text.length;
    if (chars > MAX_CHARS) throw new LoreError('too_large', `${name} contains more than ${MAX_CHARS / 1024 / 1024} MB of text.`);
    page.cleanup();
  }
  return texts;
}
