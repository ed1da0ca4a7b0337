import { isAbsolute } from 'node:path';
import type { CaptureRequest } from '../memory/operations/capture-operations.ts';
import { redact } from '../memory/secrets/redaction.ts';
import { endsInError, eventNamed, namesFailure, readsWhole, sharedName, toolNamed } from './event-names.ts';
import { lastAnswerIn } from './transcript.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** What a client wrote, parsed. */
export type Json = Readonly<Record<string, unknown>>;

/** Read of a text before its secrets are taken out: one that is cut apart at its end is cut off below. */
const READ_CHARS = 60_000;
/** Sent of a text: a multiple of what can be kept. */
const SENT_CHARS = 24_000;
/** Fields of a result that hold what came out, in this order. */
const OUTPUT_FIELDS = [
  'stdout',
  'stderr',
  'output',
  'llmContent',
  'text_result_for_llm',
  'result',
  'content',
  'text',
  'error',
  'message',
] as const;
const INPUT_FIELDS = [
  'command',
  'command_line',
  'cmd',
  'script',
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'url',
  'query',
  'pattern',
] as const;
const MAX_NAME = 128;
const MAX_SESSION = 256;
const MAX_FOLDER = 4096;

interface HookCall {
  /** As the command line names it. */
  readonly event: string;
  readonly client: string;
  /** What the client wrote to standard input, parsed; an empty object where that was no JSON. */
  readonly payload: Json;
  /** Folder that the client works in. */
  readonly cwd: string;
  readonly namespace: string | undefined;
  /** Whether secrets are taken out. */
  readonly redacts: boolean;
}

/** The event that a client told of, in Lore's own words, without secrets; undefined for one that is of no interest. Never throws. */
export function eventOf({ event: asked, client, payload, cwd, namespace, redacts }: HookCall): CaptureRequest | undefined {
  const name = eventNamed(asked) === undefined ? textOf(payload, 'hook_event_name', 'agent_action_name', 'event') : asked;
  const event = eventNamed(name ?? '');
  if (event === undefined || name === undefined || (event === 'tool' && neverRan(payload))) return undefined;
  const clean = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : cleaned(text, redacts));
  const words = event === 'prompt' ? promptIn(payload) : event === 'response' ? responseIn(payload, name) : undefined;
  const text = clean(words);
  const about = event === 'tool' ? toolIn(payload, name) : undefined;
  const [input, output] = [clean(about?.input), clean(about?.output)];
  return {
    client: named(client, MAX_NAME) ?? 'unknown',
    session:
      named(textOf(payload, 'session_id', 'conversation_id', 'trajectory_id', 'sessionID', 'thread_id') ?? '', MAX_SESSION) ?? 'unknown',
    event,
    cwd,
    at: Date.now(),
    ...withoutUndefined({ namespace, text, tool: about?.tool, input, output, failed: about?.failed }),
  };
}

/** The transcript of the session that this event names, where it is to be read as a whole. It is not opened here. */
export function transcriptIn({ event: asked, payload }: Pick<HookCall, 'event' | 'payload'>): string | undefined {
  const name = eventNamed(asked) === undefined ? textOf(payload, 'hook_event_name', 'agent_action_name', 'event') : asked;
  const file = textOf(payload, 'transcript_path');
  const isFile = file !== undefined && isAbsolute(file) && file.length <= MAX_FOLDER && !file.includes('\0') && file.isWellFormed();
  return isFile && name !== undefined && readsWhole(name) ? file : undefined;
}

/** The folder that the client works in, as far as it says; else that of this process. */
export function folderOf(payload: Json, own: string): string {
  const said =
    textOf(payload, 'cwd', 'directory', 'workspace_root') ?? firstText(payload['workspace_roots']) ?? textOf(info(payload), 'cwd');
  return (said ?? own).replaceAll('\0', '').slice(0, MAX_FOLDER).toWellFormed() || own;
}

/** Windsurf puts what an event is about into an object of its own. */
const info = (payload: Json): Json => recordOf(payload['tool_info']) ?? {};

function promptIn(payload: Json): string | undefined {
  return textOf(payload, 'prompt', 'user_prompt', 'message', 'text') ?? textOf(info(payload), 'user_prompt', 'prompt', 'text');
}

/** The last answer, where the event has it, else from the end of the transcript that it names. */
function responseIn(payload: Json, name: string): string | undefined {
  const said =
    textOf(payload, 'last_assistant_message', 'last-assistant-message', 'prompt_response', 'response', 'text') ??
    textOf(info(payload), 'response', 'text');
  if (said !== undefined && !endsInError(name)) return said;
  const transcript = textOf(payload, 'agent_transcript_path', 'transcript_path');
  return transcript === undefined ? undefined : lastAnswerIn(transcript);
}

interface ToolUse {
  readonly tool: string | undefined;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly failed: boolean | undefined;
}

function toolIn(payload: Json, name: string): ToolUse {
  const about = info(payload);
  const tool = textOf(payload, 'tool_name', 'tool') ?? textOf(about, 'tool_name', 'mcp_tool_name') ?? toolNamed(name);
  const given = payload['tool_input'] ?? payload['input'] ?? payload['args'];
  const input = inputText(given) ?? inputText(payload) ?? inputText(about);
  const result =
    payload['tool_response'] ??
    payload['tool_output'] ??
    payload['tool_result'] ??
    payload['result_json'] ??
    payload['output'] ??
    about['mcp_result'] ??
    about['output'];
  const parsed = typeof result === 'string' ? (parsedJson(result) ?? result) : result;
  // Claude Code tells of a failure in `error`, the status first and the output behind it; Cursor in `error_message`.
  const output = outputText(parsed) ?? textOf(payload, 'error', 'error_message') ?? outputText(payload['error']);
  return {
    tool: tool === undefined ? undefined : named(sharedName(tool), MAX_NAME),
    input,
    output: output?.replace(COPILOT_STATUS, ''),
    failed: failureIn(payload, parsed, name),
  };
}

/** The one field that says what was asked for, or all of them. */
function inputText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const record = recordOf(value);
  if (record === undefined) return undefined;
  const command = record['command'];
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return textOf(record, ...INPUT_FIELDS);
}

function outputText(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined;
  const parts = Array.isArray(value) ? value.slice(0, 50) : OUTPUT_FIELDS.map((field) => (value as Json)[field]);
  const texts = parts.flatMap((part) => outputText(part, depth + 1) ?? []).filter((text) => text.trim() !== '');
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Stopped by the user, or not allowed to begin: that says nothing of the command. */
function neverRan(payload: Json): boolean {
  return payload['is_interrupt'] === true || payload['failure_type'] === 'permission_denied';
}

/** How Codex begins an output where it says the status at all; most of its versions give the bare output (openai/codex#42864). */
const STATUS_LINE = /^(?:(?:chunk id|wall time|original token count):.*\n)*(?:process exited with code|exit code:?) (\d+)\s*$/im;
/** How Gemini CLI ends what a command put out, if that failed. */
const GEMINI_STATUS = /^Exit Code: (\d+)$/m;
/** How Copilot on the command line (1.0.102) ends what a command put out; it tells of each command as a success. */
const COPILOT_STATUS = /\n?<shellId: \S+ completed with exit code (\d+)>\s*$/;
/** The status stands before the output. */
const STATUS_CHARS = 300;

/** Undefined where the client does not say it. */
function failureIn(payload: Json, result: unknown, name: string): boolean | undefined {
  if (namesFailure(name)) return true;
  const status = typeof result === 'string' ? STATUS_LINE.exec(result.slice(0, STATUS_CHARS)) : null;
  if (status?.index === 0) return Number(status[1]) !== 0;
  const record = recordOf(result) ?? {};
  const last = GEMINI_STATUS.exec(textOf(record, 'llmContent') ?? '') ?? COPILOT_STATUS.exec(textOf(record, 'text_result_for_llm') ?? '');
  if (last !== null) return Number(last[1]) !== 0;
  for (const each of [record, recordOf(record['metadata']), payload, info(payload)]) {
    if (each === undefined) continue;
    for (const field of ['exit_code', 'exitCode', 'code', 'exit']) if (typeof each[field] === 'number') return each[field] !== 0;
    for (const field of ['is_error', 'isError', 'failed', 'interrupted']) if (each[field] === true) return true;
  }
  return undefined;
}

function cleaned(text: string, redacts: boolean): string {
  const read = text.slice(0, READ_CHARS).toWellFormed();
  return (redacts ? redact(read).text : read).slice(0, SENT_CHARS).toWellFormed();
}

/** A name as the server takes it, or undefined where nothing is left of it. */
function named(text: string, most: number): string | undefined {
  const name = text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()
    .trim();
  return name === '' ? undefined : name;
}

/** The first of these fields that is a text with something in it. */
function textOf(record: Json, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(record, field) ? record[field] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'string' && first !== '' ? first : undefined;
}

function recordOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
