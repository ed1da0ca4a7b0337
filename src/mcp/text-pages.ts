/** Splits a long text into parts that fit into one result. */
import { LoreError } from '../memory/errors.ts';
import { PAGE_CHARS, pageEnd } from './result-size.ts';

interface Paged {
  readonly content: string;
  /** Identifies this version of the text. */
  readonly contentHash: string;
}

interface TextPage {
  readonly content: string;
  /** Only if the text has several parts. */
  readonly totalChars?: number;
  /** Absent on the last part. */
  readonly nextCursor?: string;
}

const CURSOR = /^(?<start>[1-9]\d{0,9})-(?<state>[0-9a-f]{16})$/;

/** The part at a cursor; without one the first part. Rejects a cursor of another version of the text: its parts would not fit together. */
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
    'The entry has changed since this cursor was returned, so the parts would not match. Leave out cursor to read it from the beginning.',
  );
}

function notACursor(): LoreError {
  return new LoreError('invalid_input', 'cursor must be the nextCursor of the previous answer for the same id.');
}
