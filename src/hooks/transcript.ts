import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes read at the end of a transcript, where the last answer is. */
const READ_BYTES = 128 * 1024;

/** The last text of the assistant in a JSON Lines transcript; undefined if there is none or the file cannot be read. Never throws. */
export function lastAnswerIn(file: string): string | undefined {
  for (const line of endOf(file).split('\n').toReversed()) {
    const text = answerIn(line);
    if (text !== undefined) return text;
  }
  return undefined;
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
