import type { Memory } from '../api/forms.ts';

const LOOKED_AT_CHARS = 600;
const SHOWN_CHARS = 240;
/** What stands between single backticks. */
const CODE = /`([^`\n]+)`/;

/** The beginning of a memory in one line, without the signs of Markdown that a line may begin with. */
export function oneLine({ content }: Pick<Memory, 'content'>, most = SHOWN_CHARS): string {
  const line = content
    .slice(0, LOOKED_AT_CHARS)
    .replaceAll(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|`{3}\w*\s*)/gm, '')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed().trimEnd()}…` : line;
}

/** The same without the signs around code, for a label. */
export const labelOf = (memory: Memory): string => oneLine(memory, 60).replaceAll('`', '');

/** That line, with its code set as code. */
export function LineText({ memory }: { memory: Memory }) {
  // Every second part stood between backticks.
  return (
    <>
      {oneLine(memory)
        .split(CODE)
        .map((part, nth) => (nth % 2 === 1 ? <code key={nth}>{part}</code> : part))}
    </>
  );
}
