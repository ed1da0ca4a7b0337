/** A long text in parts, each of which fits into one answer; together they are the text. */
import { LoreError } from '../memory/errors.ts';
import { PAGE_CHARS, pageEnd } from './answer-size.ts';

interface Paged {
  readonly content: string;
  /** Tells one state of the text from another. */
  readonly contentHash: string;
}

interface TextPage {
  readonly content: string;
  /** Only of a text in parts. */
  readonly totalChars?: number;
  /** Absent on the last part. */
  readonly nextCursor?: string;
}

const CURSOR = /^(?<start>[1-9]\d{0,9})-(?<state>[0-9a-f]{16})$/;

/** The part that a cursor names, the first one without. Refuses a cursor of a text that has changed since: its parts would not fit together. */
export function textPage({ content, contentHash }: Paged, cursor?: string): TextPage {
  const state = contentHash.slice(0, 16);
  const start = cursor === undefined ? 0 : startOf(cursor, state);
  if (start > 0 && (start >= content.length || pageEnd(content, start) !== start)) throw notACursor();
  if (start === 0 && content.length <= PAGE_CHARS) return { content };
  const end = pageEnd(content, start + PAGE_CHARS);
  return {
    content: content.slice(start, end),
    totalChars: content.length,
    ...(end < content.length && { nextCursor: `${end}-${state}` }),
  };
}

function startOf(cursor: string, state: string): number {
  const { groups } = CURSOR.exec(cursor) ?? {};
  if (groups === undefined) throw notACursor();
  if (groups['state'] === state) return Number(groups['start']);
  throw new LoreError(
    'invalid_input',
    'The entry has changed since this cursor was given, so its parts would not fit together. Leave out cursor to read it from the beginning.',
  );
}

function notACursor(): LoreError {
  return new LoreError('invalid_input', 'cursor must be the nextCursor of the previous answer for the same id.');
}
