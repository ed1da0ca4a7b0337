import type { Memory } from '../api/forms.ts';

const LOOKED_AT_CHARS = 400;
const SHOWN_CHARS = 160;

/** The beginning of a memory in one line, without the commonest signs of Markdown. */
export function firstLine({ content, metadata }: Pick<Memory, 'content' | 'metadata'>): string {
  const line = oneLine((metadata.summary ?? content).slice(0, LOOKED_AT_CHARS));
  return line.length > SHOWN_CHARS ? `${cutAt(line, SHOWN_CHARS)}…` : line;
}

/** The beginning of a text, with no character cut in two. */
export const cutAt = (text: string, chars: number): string =>
  text
    .slice(0, chars)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();

/** A short text in one line, without the commonest signs of Markdown. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|`{3}\w*\s*)/gm, '')
    .replaceAll(/[*`]{1,2}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
