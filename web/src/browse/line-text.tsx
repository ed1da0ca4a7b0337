import type { Memory } from '../api/forms.ts';
import { oneLine } from '../parts/plain-text.ts';

const SHOWN_CHARS = 240;
/** What stands between single backticks. */
const CODE = /`([^`\n]+)`/;

/** The beginning of a memory in one line, with its code set as code. */
export function LineText({ memory }: { memory: Memory }) {
  // Every second part stood between backticks.
  return (
    <>
      {oneLine(memory.content, SHOWN_CHARS)
        .split(CODE)
        .map((part, nth) => (nth % 2 === 1 ? <code key={nth}>{part}</code> : part))}
    </>
  );
}
