import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Turn } from '../../memory/capture/capture-session.ts';

/** Only the end of a longer addition is read: the session was not read for days. */
const MOST_NEW_BYTES = 4 * 1024 * 1024;
/** How much of the earlier part is read again, to understand the new part. */
const CONTEXT_BYTES = 192 * 1024;
/** A longer line contains a file or a picture. */
const LONGEST_LINE_BYTES = 512 * 1024;
const MOST_TURNS = 400;
/** Turns from the earlier part. */
const CONTEXT_TURNS = 8;
const LONGEST_TURN_CHARS = 8000;
/** Judging takes about a millisecond for 4,000. */
const MOST_CHARS = 200_000;
/** Lines with messages contain one of these; most lines are tool output. */
const SPOKEN = /"(?:user|assistant|gemini)"/;
/** Cursor wraps the text of a person in these tags. */
const QUERY = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>\s*$/;
/** A request of a hook to the assistant appears as text of the person. */
const OF_A_HOOK = /^\s*(?:stop hook feedback|\[?(?:lore|hook)\]?:|<hook_prompt)/i;

interface TranscriptRead {
  readonly turns: readonly Turn[];
  /** Bytes read so far. */
  readonly end: number;
}

/**
 * The messages of a JSON Lines transcript since `from`, with the turns before that; undefined if the file cannot
 * be read or has nothing new. Skips all other lines: output of tools, subagents and programs, errors. Reads a file that became shorter from
 * its beginning. Throws only what `pause` throws.
 */
export async function readTranscript(
  file: string,
  { from, pause }: { readonly from: number; readonly pause: () => Promise<void> },
): Promise<TranscriptRead | undefined> {
  const read = await bytesOf(file, from);
  if (read === undefined) return undefined;
  const { bytes, start, size } = read;
  const known = size < from ? 0 : from;
  const turns: Turn[] = [];
  // The first line may be incomplete.
  let at = start === 0 ? 0 : bytes.indexOf(10) + 1;
  let whole = at;
  for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
    await pause();
    if (end - at <= LONGEST_LINE_BYTES) add(turns, turnIn(bytes.toString('utf8', at, end)), start + at >= known);
    at = end + 1;
    whole = at;
  }
  const end = start + whole;
  const firstNew = turns.findIndex(({ isNew }) => isNew);
  if (firstNew === -1) return { turns: [], end };
  return { turns: latest(turns.slice(Math.max(0, firstNew - CONTEXT_TURNS)).slice(-MOST_TURNS)), end };
}

/** The last turns that fit into the limit together. */
function latest(turns: readonly Turn[]): readonly Turn[] {
  let chars = 0;
  const tooMuch = turns.findLastIndex(({ text }) => (chars += text.length) > MOST_CHARS);
  return turns.slice(tooMuch + 1);
}

async function bytesOf(file: string, from: number): Promise<{ bytes: Buffer; start: number; size: number } | undefined> {
  let handle: FileHandle | undefined;
  try {
    // Opening a pipe would block until another process writes.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size === from) return undefined;
    const known = stat.size < from ? 0 : from;
    const start = Math.max(0, known - CONTEXT_BYTES, stat.size - MOST_NEW_BYTES);
    const bytes = Buffer.alloc(stat.size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, bytesRead), start, size: stat.size };
  } catch {
    return undefined;
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

/** Several messages of one side, with tools between them, are one turn. */
function add(turns: Turn[], turn: Omit<Turn, 'isNew'> | undefined, isNew: boolean): void {
  if (turn === undefined) return;
  const last = turns.at(-1);
  if (last?.by === turn.by && last.isNew === isNew && turn.by === 'assistant' && last.text.length + turn.text.length < LONGEST_TURN_CHARS)
    turns[turns.length - 1] = { ...last, text: `${last.text}\n\n${turn.text}` };
  else turns.push({ ...turn, isNew });
}

/** The fields of a transcript line that are read. */
interface Line {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly message?: { readonly role?: unknown; readonly content?: unknown };
  readonly payload?: { readonly type?: unknown; readonly role?: unknown; readonly content?: unknown };
  readonly [mark: string]: unknown;
}

/** Fields of Claude Code lines that are not messages of the conversation: from subagents, the program itself, errors, summaries. */
const UNSAID = ['isSidechain', 'isMeta', 'isApiErrorMessage', 'isCompactSummary', 'isVisibleInTranscriptOnly'] as const;

function turnIn(line: string): Omit<Turn, 'isNew'> | undefined {
  if (!SPOKEN.test(line)) return undefined;
  try {
    const parsed = JSON.parse(line) as Line | null;
    if (typeof parsed !== 'object' || parsed === null || UNSAID.some((mark) => parsed[mark] === true)) return undefined;
    // Codex writes each message twice: as an item of the conversation, which counts, and as an event.
    const isItem = parsed.type === 'response_item' && parsed.payload?.type === 'message';
    if (parsed.payload !== undefined && !isItem) return undefined;
    const said = isItem ? parsed.payload : (parsed.message ?? parsed);
    const role = said?.role ?? parsed.role ?? parsed.type;
    const by = role === 'user' ? 'person' : role === 'assistant' || role === 'gemini' ? 'assistant' : undefined;
    const text = by === undefined ? '' : textIn(said?.content).slice(0, LONGEST_TURN_CHARS).toWellFormed();
    const words = QUERY.exec(text)?.[1] ?? text;
    if (by === undefined || words.trim() === '' || (by === 'person' && OF_A_HOOK.test(words))) return undefined;
    return { by, text: words };
  } catch {
    return undefined;
  }
}

/** Only text: no thoughts, no tool calls, and nothing from a message with output of tools. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = (Array.isArray(content) ? content : []) as readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[];
  if (parts.some((part) => part?.type === 'tool_result')) return '';
  const texts = parts.flatMap((part) => {
    const isText = part !== null && typeof part === 'object' && typeof part.text === 'string';
    return isText && ['text', 'input_text', 'output_text', undefined].includes(part.type as string | undefined) ? [part.text] : [];
  });
  return texts.join('\n');
}
