import { LoreError } from '../../memory/errors.ts';
import { htmlMarkdown } from './html-markdown.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { plainText } from './text-decoding.ts';
import { markdownPassages } from './text-passages.ts';
import { filesInZip } from './zip.ts';

/** Maximum total size of the unpacked parts. */
const MAX_UNPACKED_BYTES = 64 * MEGABYTE;
/** Parts that are not unpacked. */
const PASSED_OVER = /^word\/(?:media|embeddings|fonts)\//;
/** The main part of a document. */
const DOCUMENT = 'word/document.xml';
/** The title in the converted HTML; it has the level of the top headings but stands above them. */
const TITLE = /<h1 class="title">(.*?)<\/h1>/s;

/** Reads a Word document: text with headings, lists and tables, without images. */
export const docxReader: Reader = {
  name: 'docx',
  maxBytes: 64 * MEGABYTE,
  isolatedFrom: 0,
  read: async ({ bytes, name }, options) => {
    const html = await htmlOf(await repacked(bytes, name), name);
    const [whole = '', title = ''] = TITLE.exec(html) ?? [];
    const body = plainText(await htmlMarkdown(html.replace(whole, () => '')));
    const heading = plainText(await htmlMarkdown(title));
    // A title without text below it is the text.
    const text = body.trim() === '' ? { markdown: heading } : { markdown: body, title: heading || undefined };
    return {
      format: 'docx',
      documents: [{ passages: markdownPassages(text.markdown, options, { firstLine: undefined, title: text.title }) }],
      found: {},
      leftOut: [],
      notes: [],
    };
  },
};

/**
 * Repacks the needed parts, unpacked within the limit. The parsing library would unpack everything, and may find other parts in the
 * original archive than were checked.
 */
async function repacked(bytes: Uint8Array, name: string): Promise<Buffer> {
  const parts = await filesInZip(bytes, name);
  if (!parts.some((part) => part.name === DOCUMENT)) throw damaged(name);
  const { default: Archive } = await import('jszip');
  const archive = new Archive();
  let room = MAX_UNPACKED_BYTES;
  for (const part of parts) {
    if (PASSED_OVER.test(part.name)) continue;
    const content = await part.bytes(room);
    room -= content.length;
    archive.file(part.name, content);
  }
  return await archive.generateAsync({ type: 'nodebuffer' });
}

async function htmlOf(buffer: Buffer, name: string): Promise<string> {
  const { default: mammoth } = await import('mammoth');
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        externalFileAccess: false,
      },
    );
    return value;
  } catch (error) {
    throw error instanceof RangeError ? error : damaged(name, error);
  }
}

const damaged = (name: string, cause?: unknown): LoreError =>
  new LoreError('invalid_input', `${name} is damaged: it is not a complete Word document.`, { cause });
