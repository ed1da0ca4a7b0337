import { looksLikeMarkdown } from '../parts/markdown-signs.ts';

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const JOINT = ' ·';

/** One line of Markdown without its signs; `code` keeps its own. */
function unmarked(line: string): string {
  const isHeading = /^#{1,6} \S/.test(line);
  const text = isHeading
    ? `${line.slice(line.indexOf(' ') + 1).trimEnd()}${JOINT}`
    : line.replace(/^\s*(?:[-*+]|\d{1,3}[.)]) /, '· ').replace(/^(?:\s*> ?)+/, '');
  return text
    .replaceAll(/\*\*([^\s*][^*]{0,300})\*\*/g, '$1')
    .replaceAll(/(^|[\s(])\*([^\s*][^*\n]{0,300})\*(?=$|[\s.,;:!?)])/g, '$1$2')
    .replaceAll(/\[([^[\]]{1,300})\]\([^()\s]{1,2000}\)/g, '$1');
}

/** A text for a row of a list: where it is Markdown, without the signs that only a page has a use for. */
export function rowText(text: string): string {
  if (!looksLikeMarkdown(text)) return text;
  let inFence = false;
  const lines = text.split('\n').flatMap((line) => {
    if (FENCE.test(line)) inFence = !inFence;
    else return [inFence ? line : unmarked(line)];
    return [];
  });
  return lines
    .join('\n')
    .replaceAll(/·\s+·/g, '·')
    .replace(/\s·\s*$/, '');
}
