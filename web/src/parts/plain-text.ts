import type { Memory } from '../api/forms.ts';
import { looksLikeMarkdown } from './markdown-signs.ts';

/** A fence with its language; what stands behind that is there where a text was drawn together into one line. */
const FENCE = /^ {0,3}(?:`{3,}|~{3,})\S*/;
const JOINT = ' ·';
const SHOWN_CHARS = 160;
/** Signs that are left out make a text shorter: so many times what is shown is looked at first, and more where that is not enough. */
const LOOKED_AT = 3;
/** A link that goes on where a text was cut, and could not be told from other signs. */
const CUT_LINK = /\[[^[\]]{0,300}(?:\](?:\([^()\s]{0,2000})?)?$/;

/** What turns the direction of the text around it: overrides, embeddings and isolates. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const TURNED = '␦';

/** Shows what would reverse text, instead of obeying it; the length stays, so that places in the text do. */
export const withoutTurns = (text: string): string => text.replaceAll(TURNING, TURNED);

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

/** A text without the signs that only a page of Markdown has a use for; one that is none stays as it is. Code keeps its backticks. */
export function plainText(written: string): string {
  const text = withoutTurns(written);
  if (!looksLikeMarkdown(text)) return text;
  let inFence = false;
  const lines = text.split('\n').flatMap((line) => {
    if (!FENCE.test(line)) return [inFence ? line : unmarked(line)];
    inFence = !inFence;
    const rest = line.replace(FENCE, '').trim();
    return rest === '' ? [] : [rest];
  });
  return lines
    .join('\n')
    .replaceAll(/·\s+·/g, '·')
    .replace(/\s·\s*$/, '');
}

/** So many UTF-16 units of a text at most, with no character cut in two, and `…` where it goes on. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}

/** The beginning of a text in one line, with `…` where it goes on. Code keeps its backticks. */
export function oneLine(text: string, most: number = SHOWN_CHARS): string {
  for (let looked = most * LOOKED_AT; ; looked *= 2) {
    const isWhole = looked >= text.length;
    const begin = isWhole ? text : text.slice(0, looked).replace(CUT_LINK, '');
    const line = plainText(begin).replaceAll(/\s+/g, ' ').trim();
    if (isWhole || line.length > most) return shortened(line, most);
  }
}

/** What a memory is called where there is room for one line: its summary, or how it begins. */
export function titleOf({ content, metadata }: { content: string; metadata?: Pick<Memory['metadata'], 'summary'> }, most?: number): string {
  return oneLine(metadata?.summary ?? content, most).replaceAll('`', '');
}
