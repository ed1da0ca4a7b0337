import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes read at the end of a transcript, where the last answer is. */
const READ_BYTES = 128 * 1024;

/** Copilot CLI writes its transcript in steps, the answer up to 150 ms after it reports the end of the turn. */
const MOST_WAIT_MS = 600;
const POLL_MS = 25;
/** Lines of Copilot CLI after which an answer of the same turn follows. */
const BEFORE_AN_ANSWER = /"type":"(?:assistant\.turn_start|tool\.execution_)/;
const PROMPT = '{"type":"user.message"';

/**
 * The last text of the assistant in a JSON Lines transcript; undefined if there is none or the file cannot be read. At the end of a turn
 * (`isOver`) it waits for an answer that Copilot CLI has not written yet. Never throws.
 */
export function lastAnswerIn(file: string, isOver: boolean): string | undefined {
  const began = performance.now();
  for (;;) {
    const { answer, isWritten } = lastIn(endOf(file));
    if (isWritten || !isOver || performance.now() - began > MOST_WAIT_MS) return answer;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

/** The last answer, and whether it is complete. An answer before the last prompt belongs to an earlier turn. */
function lastIn(text: string): { readonly answer: string | undefined; readonly isWritten: boolean } {
  let isWritten = true;
  for (const line of text.split('\n').toReversed()) {
    const answer = answerIn(line);
    if (answer !== undefined) return { answer, isWritten };
    if (line.startsWith(PROMPT)) return { answer: undefined, isWritten: false };
    if (BEFORE_AN_ANSWER.test(line.slice(0, 80))) isWritten = false;
  }
  return { answer: undefined, isWritten };
}

function endOf(file: string): string {
  let handle: number | undefined;
  try {
    // O_NONBLOCK: opening a pipe would wait for a writer.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile()) return '';
    const length = Math.min(stat.size, READ_BYTES);
    const bytes = Buffer.alloc(length);
    readSync(handle, bytes, 0, length, stat.size - length);
    return bytes.toString('utf8');
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

interface Line {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly message?: { readonly role?: unknown; readonly content?: unknown };
  /** Copilot CLI's format. */
  readonly data?: { readonly content?: unknown };
}

function answerIn(line: string): string | undefined {
  if (!line.includes('assistant')) return undefined;
  try {
    const { type, role, message, data } = JSON.parse(line) as Line;
    if (type === 'assistant.message') return typeof data?.content === 'string' && data.content !== '' ? data.content : undefined;
    if (![type, role, message?.role].includes('assistant')) return undefined;
    const content = message?.content;
    if (typeof content === 'string') return content;
    const texts = (Array.isArray(content) ? content : []).flatMap((part: { type?: unknown; text?: unknown }) =>
      part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
    );
    return texts.length === 0 ? undefined : texts.join('\n');
  } catch {
    return undefined;
  }
}
