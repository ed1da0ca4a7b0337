import { Findings } from './findings.ts';
import { htmlMarkdown } from './html-markdown.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { decodeText, oneLine } from './text-decoding.ts';
import { markdownPassages } from './text-passages.ts';

/** Bytes searched for a declared encoding. */
const HEAD_BYTES = 4096;
const MAX_TITLE_CHARS = 300;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Reads a page: its text as Markdown below its title, without scripts, styles and images. */
export const htmlReader: Reader = {
  name: 'html',
  maxBytes: 16 * MEGABYTE,
  isolatedFrom: 0,
  read: async ({ bytes, name }, options) => {
    const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES));
    const declared = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1];
    const { text, note } = decodeText(bytes, name, declared);
    const findings = new Findings();
    const scripts = text.match(/<script\b/gi)?.length ?? 0;
    if (scripts > 0) findings.leaveOut('scripts', undefined, scripts);
    return {
      format: 'html',
      // Source lines are meaningless because of the markup.
      documents: [{ passages: markdownPassages(await htmlMarkdown(text), options, { firstLine: undefined, title: titleOf(text) }) }],
      found: {},
      leftOut: findings.leftOut,
      notes: note === undefined ? [] : [note],
    };
  },
};

/** The title of the page. */
function titleOf(html: string): string | undefined {
  const title = /<title\b[^>]{0,500}>([^<]{0,2000})</i.exec(html)?.[1];
  return oneLine(title?.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, unescaped), MAX_TITLE_CHARS);
}

function unescaped(whole: string, decimal?: string, hexadecimal?: string, word?: string): string {
  if (word !== undefined) return ENTITIES[word.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}
