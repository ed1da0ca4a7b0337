import type { Memory } from '../api/responses.ts';
import { looksLikeMarkdown } from './markdown-signs.ts';

/** A fence with its language. Text after it appears if lines were joined. */
const FENCE = /^ {0,3}(?:`{3,}|~{3,})\S*/;
const JOINT = ' ·';
const SHOWN_CHARS = 160;
/** Removing syntax shortens a text, so this multiple of the shown length is processed first, and more if needed. */
const LOOKED_AT = 3;
/** A link that is cut off at the end. */
const CUT_LINK = /\[[^[\]]{0,300}(?:\](?:\([^()\s]{0,2000})?)?$/;

/** Characters that change the direction of the surrounding text: overrides, embeddings and isolates. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const TURNED = '␦';

/** Replaces direction characters by visible ones; the length and offsets stay. */
export const withoutTurns = (text: string): string => text.replaceAll(TURNING, TURNED);

/** One line of Markdown without its syntax; code keeps its text. */
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

/** A text without Markdown syntax; other text is unchanged. Code keeps its backticks. */
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

/** The first UTF-16 units of a text without splitting a character, with `…` if it was cut. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}

/** The beginning of a text in one line, with `…` if it was cut. Code keeps its backticks. */
export function oneLine(text: string, most: number = SHOWN_CHARS): string {
  for (let looked = most * LOOKED_AT; ; looked *= 2) {
    const isWhole = looked >= text.length;
    const begin = isWhole ? text : text.slice(0, looked).replace(CUT_LINK, '');
    const line = plainText(begin).replaceAll(/\s+/g, ' ').trim();
    if (isWhole || line.length > most) return shortened(line, most);
  }
}

/** The title of a memory in one line: its summary, or its beginning. */
export function titleOf({ content, metadata }: { content: string; metadata?: Pick<Memory['metadata'], 'summary'> }, most?: number): string {
  return oneLine(metadata?.summary ?? content, most).replaceAll('`', '');
}
